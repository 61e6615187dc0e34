// Why no job can be run on this machine, in a sentence for who started them.

export class JobFault extends Error {
  override readonly name = "JobFault";
}
