import { useSession } from './session.ts'

/** Whether the person has a permission in the whole workspace: `user.create`. What is allowed in some containers only does not count. */
export function useMay(permission: string): boolean {
  const { permissions } = useSession()
  const [area = ''] = permission.split('.')
  return permissions.includes(permission) || permissions.includes(`${area}.*`)
}

/** Whether the person has a permission in the whole workspace or in some containers of it. */
export function useMaySomewhere(permission: string): boolean {
  const { places } = useSession()
  return useMay(permission) || permission in places
}
