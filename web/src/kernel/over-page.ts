// What the kernel shows over any page at times, in one file: the browser fetches it together.
export { SignInAgain } from './connection/sign-in-again.tsx'
export { Editor } from './fields/editors.tsx'
export { LargePicture } from './pictures/large-picture.tsx'
