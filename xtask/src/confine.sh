# Runs a command that can change nothing but the folders `desktop` and `hunt` of the target folder: a monkey that meets a dialog for files may delete what it
# sees there. Everything else is read-only, /tmp is empty and the command's own. Needs `unshare -Urm`.
#
#     sh confine.sh WORKSPACE TARGET COMMAND…
set -e
W=$1; T=$2; shift 2
mount --make-rprivate /
mount --bind "$W" /mnt
mount -t tmpfs tmpfs /tmp
mkdir -p "$W"
mount --bind /mnt "$W"
umount /mnt
for own in desktop hunt; do mount --bind "$T/$own" "$T/$own"; done
while read -r _ at _; do
  case $at in
    "$T"/desktop|"$T"/hunt|/proc|/proc/*|/sys|/sys/*|/dev|/dev/*|/tmp) ;;
    "$W") mount -o remount,bind,ro "$at" ;;
    /tmp/*) ;; # out of sight
    *) mount -o remount,bind,ro "$at" ;;
  esac
done < /proc/mounts
cd "$W"
exec "$@"
