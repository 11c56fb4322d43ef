interface Waiting<Question, Answer> {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

export interface BatcherOptions<Question, Answer> {
  /** Answers questions together, in their order. An `Error` in a place refuses that question alone; a rejection refuses all. */
  runBatch: (questions: Question[]) => Promise<(Answer | Error)[]>;
  maxBatchSize?: number;
}

const MAX_BATCH_SIZE = 100;

/**
 * Lets whoever asks while a question is under way share the next one. Alone, nobody waits; in a crowd, the work for many costs
 * little more than for one.
 */
export function createBatcher<Question, Answer>({
  runBatch,
  maxBatchSize = MAX_BATCH_SIZE,
}: BatcherOptions<Question, Answer>): (question: Question) => Promise<Answer> {
  const waiting: Waiting<Question, Answer>[] = [];
  let isAnswering = false;

  const answerAll = async (): Promise<void> => {
    isAnswering = true;
    while (waiting.length > 0) {
      const together = waiting.splice(0, maxBatchSize);
      try {
        const answers = await runBatch(together.map(({ question }) => question));
        if (answers.length !== together.length) throw new Error('Each question needs an answer of its own.');
        together.forEach(({ resolve, reject }, index) => {
          const own = answers[index] as Answer | Error;
          if (own instanceof Error) reject(own);
          else resolve(own);
        });
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    isAnswering = false;
  };

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (!isAnswering) void answerAll();
    });
}
