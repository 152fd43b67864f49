/** The name under which the secret is kept that signs the calls of a rule. */
export const signingName = 'signing'
