/** Tells whether a Slack or Teams recipient is the URL of a webhook, and not the id of a channel. */
export const isCallableUrl = (text: string): boolean => /^\w+:\/\//.test(text) && URL.canParse(text)
