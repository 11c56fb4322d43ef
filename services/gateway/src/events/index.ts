import type { EventBus } from '@najwa/common';
import type { PublicAnswers } from '../domain/public-answers.js';
import type { Sessions } from '../domain/sessions.js';

export interface EventsDeps {
  bus: EventBus;
  sessions: Sessions;
  answers: PublicAnswers;
}

/** Drops cached entries that an event is about, and all of them after events may have been missed. */
export function subscribeToEvents({ bus, sessions, answers }: EventsDeps): void {
  const messagesChanged = ({ userId }: { userId: number }): void => answers.messagesChanged(userId);
  bus.subscribe(
    {
      sessionEnded: ({ tokenHash }) => sessions.end(tokenHash),
      userCreated: () => answers.profileCreated(),
      userUpdated: ({ userId }) => answers.profileChanged(userId),
      messageUpdated: ({ message }) => {
        if (message) messagesChanged(message);
      },
      messageDeleted: messagesChanged,
      replySaved: messagesChanged,
    },
    () => {
      sessions.clear();
      answers.clear();
    },
  );
}
