import DataLoader from 'dataloader';

export interface BatcherOptions<Question, Answer> {
  /** Answers questions in their order. An `Error` in a place refuses that question alone; a rejection refuses the batch. */
  runBatch: (questions: Question[]) => Promise<(Answer | Error)[]>;
  maxBatchSize?: number;
}

const MAX_BATCH_SIZE = 100;

/**
 * Collects the questions that arrive while a batch is running into the next batch, so one batch runs at a time. A question
 * that comes alone does not wait; under load, one batch costs little more than one question. Nothing is cached.
 * @returns a function that answers one question; a question is anything but null and undefined
 */
export function createBatcher<Question extends NonNullable<unknown>, Answer>({
  runBatch,
  maxBatchSize = MAX_BATCH_SIZE,
}: BatcherOptions<Question, Answer>): (question: Question) => Promise<Answer> {
  let running: Promise<unknown> = Promise.resolve();
  let turn: Promise<unknown> = running;
  const loader = new DataLoader<Question, Answer>((questions) => (running = runBatch([...questions])), {
    cache: false,
    maxBatchSize,
    batchScheduleFn: (dispatch) => {
      turn = turn.then(async () => {
        dispatch();
        await running.catch(() => undefined);
      });
    },
  });
  return (question) => loader.load(question);
}
