#!/usr/bin/env bash
# The step of action.yml: measures MODEL, against the same file at BASE where there is one.
# Reads MODEL, BASE, FAIL_IF (a condition on each line), ON_INCONCLUSIVE, OPTIONS and FOLDER from
# the environment. Writes report.json, summary.md and junit.xml into a folder for this model in
# FOLDER, and never the model of the base; the exit status is that of Inspector.
set -euo pipefail

say() { echo "::$1 file=$MODEL::$2"; }
fail() { say error "$1"; exit 1; }
output() { if [ -n "${GITHUB_OUTPUT:-}" ]; then echo "$1=$2" >>"$GITHUB_OUTPUT"; fi; }

[ -e "$MODEL" ] || fail "There is no $MODEL in $(pwd). The path of the model counts from the folder of the job; add the path of actions/checkout if it has one."
home=$(cd "$(dirname "$MODEL")" && pwd) name=$(basename "$MODEL")
slug=$(printf '%s' "$MODEL" | tr -c 'A-Za-z0-9._-' '_')
folder="$FOLDER/$slug" report="$FOLDER/$slug/report.json" summary="$FOLDER/$slug/summary.md"
mkdir -p "$folder"
rm -f "$report" "$summary" "$folder/junit.xml"
repository() { git -C "$home" "$@"; }

if [ -f "$MODEL" ] && [ "$(head -c 23 "$MODEL" | tr -d '\0')" = "version https://git-lfs" ]; then
  repository lfs pull --include "$(repository rev-parse --show-prefix)$name" >/dev/null 2>&1 \
    || fail "$MODEL is a Git LFS pointer. Add to actions/checkout: with: { lfs: true }"
fi

# The commit to compare with: a branch of the origin, or a tag or commit; fetched where the
# checkout has only its own commit.
revision=""
if [ -n "${BASE:-}" ]; then
  repository rev-parse --git-dir >/dev/null 2>&1 \
    || fail "$MODEL is in no git repository, so there is no base to compare with. Run actions/checkout first, or leave the input base empty."
  commit() { repository rev-parse --verify --quiet "$1^{commit}" >/dev/null; }
  for candidate in "origin/$BASE" "$BASE"; do
    if commit "$candidate"; then revision="$candidate"; break; fi
  done
  if [ -z "$revision" ]; then
    echo "The checkout lacks the base $BASE; it is fetched."
    if repository fetch --quiet --depth=1 origin "+refs/heads/$BASE:refs/remotes/origin/$BASE" 2>/dev/null; then
      revision="origin/$BASE"
    elif repository fetch --quiet --depth=1 origin "$BASE"; then
      revision=$(repository rev-parse FETCH_HEAD)
    else
      fail "The checkout lacks the base $BASE, and it could not be fetched. Add to actions/checkout: with: { fetch-depth: 0 }"
    fi
  fi
fi

comparison=(--without-base) about=""
if [ -n "$revision" ]; then
  if repository cat-file -e "$revision:./$name" 2>/dev/null; then
    at="$home/$name"
    if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(repository rev-parse --show-toplevel)" ]; then
      at="$(repository rev-parse --show-prefix)$name"
    fi
    comparison=(--against "$revision:$at")
  else
    about="The model is new: $revision does not have it. Conditions on changes were skipped."
  fi
fi

conditions=()
while IFS= read -r line; do
  if [ -n "${line// /}" ]; then conditions+=(--fail-if "$line"); fi
done <<<"${FAIL_IF:-}"
read -r -a options <<<"${OPTIONS:-}"

status=0
inspector measure "$MODEL" -o "$report" "${comparison[@]}" \
  --markdown "$summary" --junit "$folder/junit.xml" \
  --on-inconclusive "${ON_INCONCLUSIVE:-pass}" \
  "${conditions[@]+"${conditions[@]}"}" "${options[@]+"${options[@]}"}" || status=$?

undecided=0
if [ -f "$folder/junit.xml" ]; then
  undecided=$(grep -cE '<skipped|type="undecided"' "$folder/junit.xml" || true)
fi
case "$status" in
  0) outcome="passes" ;;
  3) outcome="fails"; say error "A condition of fail-if is met. The summary has the numbers." ;;
  *) outcome=""; say error "Inspector could not measure the model (exit status $status)." ;;
esac
if [ "$undecided" -gt 0 ]; then
  of=$((${#conditions[@]} / 2)) # each is an option and its value
  about="Inconclusive because of noise: $undecided of $of conditions. $about"
  say warning "$undecided conditions are inconclusive because of noise; on-inconclusive is ${ON_INCONCLUSIVE:-pass}."
fi
if [ -n "$about" ]; then say notice "$about"; fi
if [ -f "$summary" ]; then
  head="**$MODEL ${outcome:-was not measured}**${about:+: $about}"
  printf '%s\n\n%s\n' "$head" "$(cat "$summary")" >"$summary.new"
  mv "$summary.new" "$summary"
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat "$summary" >>"$GITHUB_STEP_SUMMARY"; fi
  output summary "$summary"
fi
if [ -f "$report" ]; then output report "$report"; fi
output folder "$folder"
output name "inspector-$slug"
exit "$status"
