/** What was said, as it is kept in the browser. */
export interface ChatMessage {
  id: string;
  role: 'user' | 'bot';
  content: string;
  timestamp: string;
  hasImage: boolean;
  /** Where the server has the picture; null until it is there. */
  imageUrl: string | null;
  /** In place of an answer, there was none. */
  failed: boolean;
}

/** What is shown: a picture that was just chosen is shown from the page itself. */
export interface ShownMessage extends ChatMessage {
  preview?: string;
}

/** Who talks to the assistant: an account, or a visitor of this browser. */
export interface Talker {
  id: string;
  name: string;
  isVisitor: boolean;
}
