import type { Identity } from '@najwa/common/identity';
import type { Logger } from '@najwa/common/logging';
import type { TrackingMode } from '@najwa/common/retention';
import type { LanguageModel, Prompt, Turn } from '../clients/language-model.js';
import type { AutomaticMode } from './automatic-mode.js';
import { instructionsFor } from './instructions.js';
import type { Language } from './language.js';
import { spend, type SpendingDeps } from './spending.js';

export interface AnswersDeps extends SpendingDeps {
  automaticMode: AutomaticMode;
  /** Null without an API key. */
  languageModel: LanguageModel | null;
  tracking: TrackingMode;
  logger: Logger;
}

export interface Question {
  text: string;
  /** For questions without letters. */
  language: Language;
  picture: Prompt['picture'];
  /** Oldest first. */
  history: Turn[];
  identity: Identity;
}

export interface Answer {
  text: string;
  isAutomatic: boolean;
}

/** Falls back to automatic mode if the model is missing, unavailable or over budget. */
export async function answer(deps: AnswersDeps, question: Question): Promise<Answer> {
  const fromModel = await askLanguageModel(deps, question);
  if (fromModel !== null) return { text: fromModel, isAutomatic: false };
  return {
    text: deps.automaticMode.answer(question.text, {
      hasPicture: question.picture !== null,
      fallback: question.language,
    }),
    isAutomatic: true,
  };
}

async function askLanguageModel(
  deps: AnswersDeps,
  { text, picture, history, identity }: Question,
): Promise<string | null> {
  const { languageModel, automaticMode, tracking, logger } = deps;
  if (!languageModel?.isOpen()) return null;
  const prompt = {
    instructions: instructionsFor(automaticMode.closest(text), tracking),
    history,
    question: text,
    picture,
  };
  try {
    const completion = await spend(deps, identity, prompt, () => languageModel.complete(prompt));
    if (completion === null) logger.info('language model not asked: budget used up');
    return completion?.text ?? null;
  } catch (error) {
    logger.warn({ err: error }, 'language model did not answer');
    return null;
  }
}
