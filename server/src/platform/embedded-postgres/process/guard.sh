# Runs a command for as long as somebody holds the other end of our standard input.
#
# End of input means that the service wants it stopped, or has died in whatever way. So there is one way to stop, and an orphan
# cannot outlive its service. In sh, because two of these weigh 2 MB where a node weighs 50.

# The terminal's ctrl-C and the like are for the service, which then asks us.
trap '' HUP INT TERM

exec 3<&0
"$@" </dev/null 3<&- &
child=$!

ended_within() {
  tenths=$(($1 * 10))
  while kill -0 "$child" 2>/dev/null; do
    [ "$tenths" -gt 0 ] || return 1
    tenths=$((tenths - 1))
    sleep 0.1
  done
}

{
  while read -r _ <&3; do :; done
  # Fast shutdown, then immediate, then by force.
  kill -INT "$child" 2>/dev/null
  ended_within 8 || kill -QUIT "$child" 2>/dev/null
  ended_within 5 || kill -KILL "$child" 2>/dev/null
} >/dev/null 2>&1 &
watcher=$!

wait "$child"
code=$?
kill -KILL "$watcher"
wait "$watcher" 2>/dev/null
exit "$code"
