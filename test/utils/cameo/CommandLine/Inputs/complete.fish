# complete.fish SCRIPT "WORDS...": what the completion offers for the last word, one per line.
source $argv[1]
complete -C $argv[2] | string replace -r '\t.*' ''
exit 0 # also where nothing is offered
