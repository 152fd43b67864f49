/** Whether a recipient of Slack or Teams is given by a URL that can be called, and not by the id of a channel. */
export const isCallableUrl = (text: string): boolean => /^\w+:\/\//.test(text) && URL.canParse(text)
