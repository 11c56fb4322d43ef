export const home = {
  title: 'Hear what goes unsaid',
  hero: {
    kicker: 'Anonymous messages, one personal link',
    before: 'Hear what goes ',
    marked: 'unsaid.',
    after: '',
    text: 'Make your page, share your link, and let people write to you honestly. You read the words, never the name.',
    create: 'Create your account',
    more: 'How it works',
    first: 'You are the reason I picked up drawing again. Thank you.',
    third: 'If you could go back, what would you tell yourself?',
  },
  features: {
    title: 'Honest words, on your terms',
    text: 'Four things that make honesty easier to write and lighter to read.',
    link: {
      title: 'One link that is yours',
      text: 'Pick a short name and put it wherever people find you. Senders need no account.',
      copy: 'Copy',
    },
    voice: {
      title: 'A voice, without whose',
      text: 'Voice messages are altered before they arrive. What was said stays, who said it does not.',
    },
    publishing: {
      title: 'Nothing is public until you say so',
      text: 'Every message arrives private. Publish the ones you like, and take them back whenever you want.',
      held: 'Private',
      published: 'Public',
    },
    reply: {
      title: 'Answer someone you don’t know',
      text: 'Write back once, and your reply appears under the message on your page.',
      question: 'What do people not know about you?',
      answer: 'That I write long letters and never send them.',
    },
  },
  steps: {
    title: 'Three steps, then listen',
    create: {
      title: 'Create an account',
      text: 'A name and a password, nothing more. The username you choose becomes your link.',
    },
    share: {
      title: 'Share the link',
      text: 'Put it in your bio or send it to friends, and let them write in their own time.',
    },
    receive: { title: 'Receive messages', text: 'Read them slowly, answer what you like, publish what you love.' },
  },
  trust: {
    secure: { title: 'Secure', text: 'Encrypted connection, protected account' },
    private: { title: 'Private', text: 'The recipient never sees the sender' },
    supported: { title: 'Supported', text: 'An assistant whenever you need one' },
  },
  testimonials: {
    title: 'What people say',
    text: 'Examples of what Najwa is made for, written by its team under invented names.',
    previous: 'Previous',
    next: 'Next',
    pause: 'Pause the reviews',
    play: 'Play the reviews',
    page: 'Page {{page, digits}} of {{pages, digits}}',
    stars: '{{rating, digits}} stars out of {{most, digits}}',
    read_male: 'Read what {{name}} said:',
    read_female: 'Read what {{name}} said:',
  },
  closing: {
    title: 'Someone has something to tell you.',
    text: 'Leave the door open. All it takes is a link.',
    start: 'Start now',
    explore: 'Explore features',
  },
};
