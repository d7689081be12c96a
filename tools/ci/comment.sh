#!/usr/bin/env bash
# The step of action.yml that comments on a pull request: SUMMARY as Markdown, in one comment for
# MODEL that is replaced each time. Reads SUMMARY, MODEL, NUMBER and REPOSITORY; needs `gh` with
# GH_TOKEN. A comment that cannot be written is a warning, since forks have no right to write.
set -euo pipefail
mark="<!-- inspector: $MODEL -->"
body=$(printf '%s\n%s\n' "$mark" "$(cat "$SUMMARY")")

comments="repos/$REPOSITORY/issues/$NUMBER/comments"
if id=$(gh api --paginate "$comments" --jq \
  ".[] | select(.body | startswith(\"${mark//\"/}\")) | .id" | head -n 1) \
  && if [ -n "$id" ]; then
    gh api --silent --method PATCH "repos/$REPOSITORY/issues/comments/$id" -f body="$body"
  else
    gh api --silent --method POST "$comments" -f body="$body"
  fi; then
  echo "The summary is in the comments of pull request $NUMBER."
else
  echo "::warning file=$MODEL::Could not comment on pull request $NUMBER. The token needs the permission pull-requests: write."
fi
