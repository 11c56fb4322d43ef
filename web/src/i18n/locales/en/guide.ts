export const guide = {
  about: {
    title: 'About Najwa',
    text: 'A quiet place for honest words.',
    name: {
      title: 'The name',
      text: 'Najwa (نجوى) is the Arabic word for what is said quietly between two. The mark is the bowl of the letter ن: it receives a word, and does not ask whose it is.',
    },
    how: {
      title: 'How it works',
      text: '- Create an account. It takes a name, a username and a password, and no e-mail address.\n- Share your link, as a link, a code or a picture.\n- People write to you: a text, a picture, or a voice that is altered first. You read, reply, and publish what you like.',
    },
    promise: {
      title: 'What we hold to',
      text: '- A page’s owner does not see who wrote, with or without an account.\n- What administrators can see is said openly, and each look at sending data is recorded. [Privacy](/privacy) has all of it.\n- No advertising, and nothing from other sites.\n- Arabic first, and English whenever you like.',
    },
    people: {
      title: 'Who makes it',
      text: 'The Najwa team: design, code and texts. The reviews on the home page are examples, written by the team under invented names.\nFor developers, the [description of the API](/api/docs) is open.',
    },
  },

  contact: {
    title: 'Contact',
    text: 'Where to turn, by what it is about.',
    message: {
      title: 'A message that should not be here',
      text: 'Open the menu of the message and choose “Report”. Moderators see it. That is the quickest way, and the only one that keeps a copy for them. If you have an account, the outcome is in your settings.\nIf somebody is in danger now, call your local emergency number first. Review here is not immediate.',
    },
    account: {
      title: 'Your account',
      text: 'If you forgot your password, a [recovery code](/reset) brings you back in. Nobody can let you in without one, since we have no e-mail address to know you by.',
    },
    question: {
      title: 'A question about the site',
      text: 'See [FAQ](/faq) and [Help](/help), or ask the smart assistant in the corner of each page.',
    },
    team: {
      title: 'The people behind it',
      text: 'This site has not given an address to write to.',
      address: 'Write to {{contact}}.',
    },
  },

  faq: {
    title: 'Frequently asked questions',
    text: 'Short answers. The whole of it is under Privacy and Help.',
    name: {
      title: 'Does my name show when I send a message?',
      text: 'No. The page’s owner does not see your name, whether or not you have an account, also while you are signed in. Administrators can see technical data about the sending for {{tracking}}. See [Privacy](/privacy).',
      textOff:
        'No. The page’s owner does not see your name, whether or not you have an account, also while you are signed in. This site keeps neither your network address nor your device. See [Privacy](/privacy).',
    },
    who: {
      title: 'How do I find out who wrote to me?',
      text: 'Not from Najwa: that is its promise to whoever writes. You can reply and ask. Whoever kept their way back, or sent it from an account, reads your reply.',
    },
    reply: {
      title: 'I wrote without an account. Where do I see the reply?',
      text: 'After sending you get a link of your own, the way back. It shows the message, whether it was read where the owner tells, and the reply. Your browser keeps it under [Sent from this device](/r), if you leave the switch on.',
    },
    lost: {
      title: 'I lost my way back',
      text: 'Then nobody can bring it back. Only a hash of it is stored, so that nobody else can open your message either.',
    },
    delete: {
      title: 'Can I delete what I sent?',
      text: 'Yes, by its way back, until it is read. Where the owner does not show reading, for {{wayBackDeletion}} after sending.',
    },
    password: {
      title: 'I forgot my password',
      text: 'Use one of the recovery codes that you kept when you made your account: [Forgot your password](/reset). There is no e-mail to recover by.',
    },
    voice: {
      title: 'Can my voice be recognised?',
      text: 'It is altered before anybody hears it: on your device, or on our server where the browser cannot, which does not keep the recording. An altered voice may still be recognised by what you say and how.',
    },
    size: {
      title: 'How much can I send?',
      text: 'Up to {{messageLength, digits}} characters, a picture of up to {{imageMegabytes, digits}} MB with a text, or a voice message of less than {{recording}}.',
    },
    private: {
      title: 'Who can read what I received?',
      text: 'You, until you publish it. Its writer, by their way back or their list of sent messages. Administrators can when they review the sending data.',
    },
    leave: {
      title: 'How do I delete my account?',
      text: 'In the settings, under [your data](/settings/data), with your password. Your page closes at once; everything is deleted after {{deletion}}, unless you sign in and keep it.',
    },
    trouble: {
      title: 'Somebody writes things that hurt me',
      text: 'You can delete the message, block whoever wrote it, and report it, all from its menu. In the [settings](/settings/receiving) you can filter words, ask for an account, or pause your page.',
    },
  },

  help: {
    title: 'Help',
    text: 'How to do things here.',
    send: {
      title: 'Write to somebody',
      text: '- Open their link, write, and press “Send”. You need no account.\n- Add a picture, or record your voice and choose how it is altered. You can listen before you send.\n- Keep the way back that appears then. It is the link to your message and its reply.',
    },
    sent: {
      title: 'Find what you sent',
      text: 'Without an account: [Sent from this device](/r). With an account: the filter “Sent” in your messages.',
    },
    receive: {
      title: 'Receive messages',
      text: '- [Create an account](/auth), and keep your recovery codes.\n- Share your link from your [profile](/profile).\n- What you receive is in your profile, and only you see it there.',
    },
    publish: {
      title: 'Reply and publish',
      text: '- “Reply” also marks a message as read. Its writer sees the reply by their way back.\n- “Publish” shows the message and your reply on your page. “Unpublish” takes both off it.',
    },
    protect: {
      title: 'Have your peace',
      text: '- Choose [who may write](/settings/receiving): everybody, people with an account, accounts of some age, or nobody for now.\n- Filter words and ready-made lists. What matches is set aside for {{aside}}, and its writer is not told.\n- Block whoever wrote a message, without learning who it was.',
    },
    safe: {
      title: 'Keep your account safe',
      text: '- Add a passkey or a second step in [sign-in and devices](/settings/access).\n- Look there at the devices that are signed in, and end those you do not know.\n- Make new recovery codes when few are left. Each works once.',
    },
    broken: {
      title: 'Something does not work',
      text: 'Check your connection, reload the page, and use a recent browser. A message that was not sent can be sent again: it never arrives twice. If you were asked to wait, there were many attempts from your network in a short time.',
    },
  },
  terms: {
    title: 'Terms of use',
    text: 'What we ask of you, what you can expect of us, and what happens otherwise.',
    service: {
      title: 'What Najwa is',
      text: 'You have a page with a link of its own. Anybody who opens it can write to you, with or without an account, and you do not see who wrote. You decide which messages everybody can read.\nReading and writing are free. There is no advertising.',
    },
    account: {
      title: 'Your account',
      text: '- Choose a name that does not pretend to be somebody else. Some names are reserved.\n- Your password is yours alone. There is no e-mail to recover it by: keep your recovery codes.\n- You answer for what is sent and published from your account.',
    },
    rules: {
      title: 'What may not be sent or published',
      text: '- Insults, harassment and threats.\n- Sexual content, and anything sexual or harmful about minors.\n- Advertising, scams and messages sent in floods.\n- Other people’s private data, and whatever the law forbids.',
    },
    consequences: {
      title: 'What happens then',
      text: 'Whoever receives a message can block its writer, and can report it. Anybody can report a published message. Moderators see the reported message, and may remove it or warn its sender. Administrators may also suspend an account or block a sender everywhere, for {{suspension}} at most: what comes from there is set aside.\nWhoever is suspended can still read, reply and leave. Each decision is recorded with its reason, and another administrator can undo it.',
    },
    content: {
      title: 'What you write stays yours',
      text: 'We show it to whom it is for, and store it for that. If you write to somebody, they can publish your message on their page, without your name. You can delete it by its way back until it is read.',
    },
    service2: {
      title: 'What we promise, and what not',
      text: 'We do what [Privacy](/privacy) says. We do not promise that nobody can ever know who wrote, that the site always works, or that what others write is true.\nNajwa is no emergency service. If somebody is in danger, call the emergency number of your country.',
    },
    changes: {
      title: 'Changes',
      text: 'When these terms change, the date above changes with them. If you do not agree any more, you can [delete your account](/settings/data).',
    },
  },
};
