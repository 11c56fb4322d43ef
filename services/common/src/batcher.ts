import DataLoader from 'dataloader';

export interface BatcherOptions<Question, Answer> {
  /**
   * Returns one result per question, in the same order. An `Error` rejects only that question; a rejection rejects the
   * batch.
   */
  runBatch: (questions: Question[]) => Promise<(Answer | Error)[]>;
  maxBatchSize?: number;
}

const MAX_BATCH_SIZE = 100;

/**
 * Collects questions that arrive while a batch is running into the next batch. Only one batch runs at a time. A single
 * question is not delayed. Results are not cached.
 * @returns a function that answers one question; questions must not be null or undefined
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
