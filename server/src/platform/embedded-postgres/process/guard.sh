# Runs a command until the standard input of this script ends.
#
# The service holds the other end of that pipe. The input ends when the service closes it to stop the command, and also when the
# service dies in any way, so the command never outlives the service. This is a shell script because two shells need
# about 2 MB of memory, and a Node process about 50 MB.

# A signal to stop is meant for the service, which then closes the pipe.
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
  # SIGINT is PostgreSQL's fast shutdown, SIGQUIT its immediate shutdown.
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
