import DataLoader from 'dataloader';

export interface BatcherOptions<Question, Answer> {
  /** One result per question, in order. An `Error` rejects that question, a rejection the whole batch. */
  runBatch: (questions: Question[]) => Promise<(Answer | Error)[]>;
  maxBatchSize?: number;
}

const MAX_BATCH_SIZE = 100;

/**
 * Collects questions that arrive during a batch into the next one. Only one batch runs at a time. No caching.
 * @returns answers one question, which must not be null or undefined
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
