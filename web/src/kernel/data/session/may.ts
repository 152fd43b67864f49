import { useSession } from './session.ts'

/** Whether the person has a permission in the whole workspace: `user.create`. What is allowed in some containers only does not count. */
export function useMay(permission: string): boolean {
  const { permissions } = useSession()
  const [area = ''] = permission.split('.')
  return permissions.includes(permission) || permissions.includes(`${area}.*`)
}
