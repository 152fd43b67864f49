export { signOut } from '../kernel/connection/sign-out.ts'
