export { type Prompt, useCreatePromptMutation, useDeletePromptMutation, useGetPromptsQuery } from './api.js';
export { AskFault, useAsk } from './use-ask.js';
export { DailyQuestions } from './DailyQuestions.js';
export { questionsOfDay } from './daily.js';
