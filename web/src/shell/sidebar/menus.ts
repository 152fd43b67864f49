// The menus of the sidebar, in one file: the browser fetches them together.
export { PersonMenu } from './person-menu.tsx'
export { WorkspaceMenu } from './workspace-menu.tsx'
