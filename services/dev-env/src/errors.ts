/** Something that the person at the terminal has to put right. Its message is whole sentences, shown without a stack. */
export class SetupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SetupError';
  }
}

/** Why something cannot be had in one way, as a clause such as "there is no Go to compile it with". Another way may do. */
export class Unavailable extends Error {
  constructor(clause: string, options?: ErrorOptions) {
    super(clause, options);
    this.name = 'Unavailable';
  }
}
