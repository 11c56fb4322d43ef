interface Waiting<Question, Answer> {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

export interface BatcherOptions<Question, Answer> {
  /** Answers questions together, in their order. An `Error` in a place refuses that question alone; a rejection refuses all. */
  answer: (questions: Question[]) => Promise<(Answer | Error)[]>;
  maxQuestions?: number;
}

const MAX_QUESTIONS = 100;

/**
 * Lets whoever asks while a question is under way share the next one. Alone, nobody waits; in a crowd, the work for many costs
 * little more than for one.
 */
export function createBatcher<Question, Answer>({
  answer,
  maxQuestions = MAX_QUESTIONS,
}: BatcherOptions<Question, Answer>): (question: Question) => Promise<Answer> {
  const waiting: Waiting<Question, Answer>[] = [];
  let isAnswering = false;

  const answerAll = async (): Promise<void> => {
    isAnswering = true;
    while (waiting.length > 0) {
      const together = waiting.splice(0, maxQuestions);
      try {
        const answers = await answer(together.map(({ question }) => question));
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
