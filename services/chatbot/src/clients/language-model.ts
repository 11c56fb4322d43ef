import type { Logger } from '@najwa/common/logging';
import type { Metrics } from '@najwa/common/metrics';
import { withSpan } from '@najwa/common/tracing';
import { preview } from '@najwa/proto/http/client';
import OpenAI, { APIError } from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import CircuitBreaker from 'opossum';

export interface LanguageModelOptions {
  apiKey: string;
  baseUrl: string;
  model: string;
  timeoutMs: number;
  pauseMs: number;
}

export interface Turn {
  question: string;
  answer: string;
}

export interface Prompt {
  instructions: string;
  /** Oldest first. */
  history: Turn[];
  question: string;
  picture: { content: Buffer; contentType: string } | null;
}

export interface Completion {
  text: string;
  /** Prompt and answer. */
  tokens: number;
}

/** A few sentences, for a small window. */
export const MAX_ANSWER_TOKENS = 600;

/** For servers that ignore the token limit. */
const MAX_ANSWER_LENGTH = 8_000;

/** Bounds an endless body. */
const MAX_ANSWER_BYTES = 1024 * 1024;

const MAX_RETRIES = 2;

/** Opens when half of at least four answers failed. */
const ERROR_THRESHOLD_PERCENTAGE = 50;
const VOLUME_THRESHOLD = 4;

function toMessages({ instructions, history, question, picture }: Prompt): ChatCompletionMessageParam[] {
  const asked: ChatCompletionMessageParam = picture
    ? {
        role: 'user',
        content: [
          ...(question === '' ? [] : [{ type: 'text' as const, text: question }]),
          {
            type: 'image_url',
            image_url: {
              url: `data:${picture.contentType};base64,${picture.content.toString('base64')}`,
              detail: 'low',
            },
          },
        ],
      }
    : { role: 'user', content: question };
  return [
    { role: 'system', content: instructions },
    ...history.flatMap<ChatCompletionMessageParam>((turn) => [
      { role: 'user', content: turn.question },
      { role: 'assistant', content: turn.answer },
    ]),
    asked,
  ];
}

/** Counts after decompression. */
const fetchBounded: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.body === null) return response;
  let bytes = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      bytes += piece.length;
      if (bytes > MAX_ANSWER_BYTES) controller.error(new Error('The language model sent too much.'));
      else controller.enqueue(piece);
    },
  });
  return new Response(response.body.pipeThrough(bound), response);
};

/** Errors of one question, such as a refused picture, do not trip the breaker. */
function isQuestionError(error: unknown): boolean {
  return error instanceof APIError && (error.status === 400 || error.status === 413 || error.status === 422);
}

/** Refused requests cost nothing. */
export function wasRefused(error: unknown): boolean {
  return (
    (error instanceof APIError && error.status !== undefined) ||
    (error instanceof Error && (error as { code?: unknown }).code === 'EOPENBREAKER')
  );
}

export class LanguageModel {
  readonly #options;
  readonly #client;
  readonly #breaker;

  constructor({ apiKey, baseUrl, ...options }: LanguageModelOptions, logger: Logger, metrics: Metrics) {
    this.#options = options;
    this.#client = new OpenAI({
      apiKey,
      baseURL: baseUrl,
      maxRetries: MAX_RETRIES,
      timeout: options.timeoutMs,
      logLevel: 'off',
      fetch: fetchBounded,
    });
    this.#breaker = new CircuitBreaker((prompt: Prompt) => this.#ask(prompt), {
      timeout: options.timeoutMs,
      errorThresholdPercentage: ERROR_THRESHOLD_PERCENTAGE,
      volumeThreshold: VOLUME_THRESHOLD,
      resetTimeout: options.pauseMs,
      errorFilter: isQuestionError,
    });
    this.#breaker.on('failure', () => metrics.dependencyErrors.inc({ dependency: 'language-model' }));
    this.#breaker.on('open', () => logger.warn('circuit breaker of the language model opened'));
    this.#breaker.on('close', () => logger.info('circuit breaker of the language model closed'));
  }

  /** False while the circuit breaker is open. */
  isOpen(): boolean {
    return !this.#breaker.opened;
  }
  /** @throws without a usable answer in time */
  complete(prompt: Prompt): Promise<Completion> {
    return withSpan('language model', () => this.#breaker.fire(prompt));
  }
  close(): void {
    this.#breaker.shutdown();
  }

  async #ask(prompt: Prompt): Promise<Completion> {
    const { model, timeoutMs } = this.#options;
    const { choices, usage } = await this.#client.chat.completions.create(
      { model, messages: toMessages(prompt), max_completion_tokens: MAX_ANSWER_TOKENS },
      // The client's own timeout is per attempt.
      { signal: AbortSignal.timeout(timeoutMs) },
    );
    const text = preview(choices[0]?.message.content?.trim() ?? '', MAX_ANSWER_LENGTH);
    if (!text) throw new Error('The language model sent an empty answer.');
    return { text, tokens: usage?.total_tokens ?? 0 };
  }
}
