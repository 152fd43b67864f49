/** A backup cannot be written, used or trusted; the message tells an operator why and what to do. */
export class UnusableBackup extends Error {}
