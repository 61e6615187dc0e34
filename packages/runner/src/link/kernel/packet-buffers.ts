// Enlarges the packet buffers in front of rattan. Its sockets have the machine's default size, about ninety packets. A flight of a few hundred, which
// TCP sends at once, would overflow them and lose packets on a link without loss.

/**
 * Enlarges the sockets of a process, found by its name, from outside: `pidfd_getfd(2)` duplicates a socket, and SO_RCVBUFFORCE requires root. The
 * exit status is 1 without root, or if Linux is older than 5.6. Perl, because every distribution has it and it can make system calls.
 */
export const enlargeSocketsScript = `
my ($name, $wanted, $bytes) = @ARGV;
my ($found, $seen) = (0, 0);
for (1 .. 500) {
  for my $process (glob "/proc/[0-9]*") {
    open(my $file, "<", "$process/comm") or next;
    next if <$file> ne "$name\\n";
    my ($pid) = $process =~ /(\\d+)$/;
    my $handle = syscall(434, $pid + 0, 0);
    next if $handle < 0;
    ($found, $seen) = (0, 0);
    for my $link (glob "$process/fd/*") {
      next if (readlink($link) // "") !~ /^socket:/;
      my ($number) = $link =~ /(\\d+)$/;
      my $copy = syscall(438, $handle, $number + 0, 0);
      next if $copy < 0;
      open(my $socket, "+<&=", $copy) or next;
      my $domain = getsockopt($socket, 1, 39) // next;
      next if unpack("i", $domain) != 17;
      $seen++;
      $found++ if setsockopt($socket, 1, 33, pack("i", $bytes));
    }
    open(my $closed, "<&=", $handle) and close $closed;
  }
  last if $seen >= $wanted;
  select(undef, undef, undef, 0.01);
}
exit($found >= $wanted ? 0 : 1);
`;

/** The caveat of a link whose emulator has small buffers. */
export const smallBufferCaveat =
  "the emulator's sockets cannot be widened here (that takes root, and Linux 5.6): bursts above some 130 KB lose packets " +
  "in addition to --loss, so use --bandwidth 100 or less for bulk data";

/** More than the largest flight that any window here allows. */
export const bufferBytes = 64 * 2 ** 20;
