/** A message as stored in the browser. */
export interface ChatMessage {
  id: string;
  role: 'user' | 'bot';
  content: string;
  timestamp: string;
  hasImage: boolean;
  /** The picture's URL. Null until it is uploaded. */
  imageUrl: string | null;
  /** No answer arrived. The UI shows an apology instead. */
  failed: boolean;
}

/** A message as shown. A new picture is shown from a local data URL. */
export interface ShownMessage extends ChatMessage {
  preview?: string;
}

/** Who talks to the assistant: an account, or a visitor by browser. */
export interface Talker {
  id: string;
  name: string;
  isVisitor: boolean;
}
