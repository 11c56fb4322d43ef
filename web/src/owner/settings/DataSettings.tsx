import type { User } from '../../shared/session/index.js';
import { ExportSection } from './ExportSection.js';
import { DeletionSection } from './DeletionSection.js';
import { LeavingSection } from './LeavingSection.js';

export function DataSettings({ user }: { user: User }) {
  return user.deletesAt === null ? (
    <>
      <ExportSection />
      <DeletionSection username={user.username} />
    </>
  ) : (
    <>
      <LeavingSection deletesAt={user.deletesAt} />
      <ExportSection />
    </>
  );
}
