# complete.sh SCRIPT "WORDS...": what the completion offers for the last word, one per line.
source "$1"
read -ra COMP_WORDS <<<"$2"
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
compopt() { :; }
_cameo
printf '%s\n' "${COMPREPLY[@]}"
