// Why no job can run on this machine, as a sentence for the user.

export class JobFault extends Error {
  override readonly name = "JobFault";
}
