/** What people call an item's property, in lower case, where it is not its own name. */
export const otherNames: ReadonlyMap<string, string> = new Map([
  ['name', 'title'],
  ['assignee', 'assignees'],
  ['requester', 'requesterId'],
  ['crm', 'crmId'],
  ['container', 'containerId'],
  ['process', 'processId'],
  ['area', 'areaId'],
  ['parent', 'parentId'],
  ['cycle', 'cycleId'],
  ['tags', 'labels'],
])
