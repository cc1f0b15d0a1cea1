# complete.zsh SCRIPT "WORDS...": what the completion offers for the last word, one per line. A shell on a terminal of its own completes, with a
# compadd that prints the matches.
zmodload zsh/zpty
zpty shell zsh -f -i
setup=$(mktemp)
cat >$setup <<'END'
PROMPT=
autoload -Uz compinit && compinit -u -D
bindkey '^I' complete-word
zstyle ':completion:*' list-grouped false
compadd() {
  [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]] && { builtin compadd "$@"; return }
  local -a hits
  builtin compadd -A hits "$@"
  local hit
  for hit in $hits; print -r -- "<$hit>"
}
finish() { print '<done>' }
compprefuncs=()
comppostfuncs=(finish)
END
zpty -w shell "source $setup; source $1; print '<ready''>'"
zpty -r shell output $'*<ready>*'
zpty -w -n shell "$2"$'\t'
zpty -r shell output $'*<done>*'
zpty -d shell
rm -f $setup
print -r -- $output | tr -d '\r' | sed -n 's/.*<\([^<>]*\)>$/\1/p' | grep -vx done
