import { ArrowRight } from 'lucide-react';
import { styled } from 'styled-components';
import { Icon, LoadingDots, Ornament, Stack } from '../../ui/index.js';
import { useLanguage, useNow, useTranslation } from '../../i18n/index.js';
import { textSize } from '../../theme/index.js';
import { questionsOfDay } from './daily.js';
import { AskFault, type OnAsked, useAsk } from './use-ask.js';

interface Props {
  account: number;
  onAsked: OnAsked;
}

/** For an inbox without messages: a press makes the page of a question. */
export function DailyQuestions({ account, onAsked }: Props) {
  const { t } = useTranslation();
  const { language } = useLanguage();
  const now = useNow();
  const { ask, asking, fault } = useAsk(onAsked);
  return (
    <Stack data-testid="daily-questions">
      <Head>
        <h3>{t('profile.questions.title')}</h3>
        <p>{t('profile.questions.text')}</p>
      </Head>
      <List>
        {questionsOfDay(language, now, account).map((question, index) => (
          <li key={question}>
            <button
              type="button"
              aria-busy={asking === question || undefined}
              aria-disabled={asking !== undefined}
              onClick={() => void ask(question)}
            >
              <Drawing bits={BITS[index] ?? ''} size={48} />
              <span>{question}</span>
              {asking === question ? <LoadingDots /> : <Icon of={ArrowRight} flip />}
            </button>
          </li>
        ))}
      </List>
      <AskFault fault={fault} />
    </Stack>
  );
}

/** Drawings of no message. */
const BITS = ['9e3779b97f4a7c15', '3c6ef372fe94f82a', 'daa66d2c7ddf743f'];

const Head = styled.header`
  h3 {
    ${textSize('24px', '21px')}
  }
  p {
    color: var(--ink-2);
  }
`;

const List = styled.ul`
  display: grid;
  gap: 8px;
  button {
    display: grid;
    grid-template-columns: 44px minmax(0, 1fr) auto;
    gap: 14px;
    align-items: center;
    inline-size: 100%;
    min-block-size: 68px;
    padding: 10px 16px;
    border: 1px solid var(--line);
    border-radius: 20px;
    border-end-start-radius: 6px;
    background: var(--surface);
    text-align: start;
    font-weight: 500;
    ${textSize('18px', '16.5px')}
    line-height: 1.5;
    &:hover {
      border-color: var(--violet-text);
    }
  }
  button > svg:last-child {
    color: var(--ink-3);
  }
`;

const Drawing = styled(Ornament)`
  inline-size: 44px;
  block-size: 44px;
  stroke: var(--violet);
`;
