import { Container } from '../../ui/index.js';
import { useTexts } from '../../i18n/index.js';
import { Outbox } from './Outbox.js';

const TEXTS = ['outbox'] as const;

export function OutboxNotice() {
  useTexts(TEXTS);
  return (
    <Container>
      <Outbox />
    </Container>
  );
}
