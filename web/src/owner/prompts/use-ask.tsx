import { CircleAlert } from 'lucide-react';
import { type ApiError, isApiError } from '../../api/api-error.js';
import { useErrorText } from '../../api/use-error-text.js';
import { ButtonLink, Callout } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { type Prompt, useCreatePromptMutation } from './api.js';

export type OnAsked = (prompt: Prompt) => void;

/** Makes a question's page. One that was asked before has its page already, and keeps it. */
export function useAsk(onAsked: OnAsked) {
  const [create, { isLoading, error, originalArgs }] = useCreatePromptMutation();
  return {
    /** On its way. */
    asking: isLoading ? originalArgs?.content : undefined,
    fault: isApiError(error) ? error : undefined,
    ask: async (content: string) => {
      if (isLoading) return;
      const { data } = await create({ content });
      if (data !== undefined) onAsked(data);
    },
  };
}

export function AskFault({ fault }: { fault: ApiError | undefined }) {
  const { t } = useTranslation();
  const errors = useErrorText();
  if (fault === undefined) return null;
  return (
    <Callout tone="danger" icon={CircleAlert} text={errors.text(fault)} alert>
      {fault.code === 'prompts_full' && (
        <ButtonLink size="sm" to="/settings/questions">
          {t('profile.questions.own')}
        </ButtonLink>
      )}
    </Callout>
  );
}
