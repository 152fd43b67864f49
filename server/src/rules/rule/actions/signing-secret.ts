/** The name of the secret that signs the calls of a rule. */
export const signingName = 'signing'
