import type { Id } from '../../kernel/id.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { Code } from '../../records/code-table.ts'
import type { ScreenPlace } from '../screen/screen.ts'
import { screenMoments } from '../screen/screen-moment.ts'

/** A field on a screen, with everything that a client needs to render it. */
export interface ResolvedPlace extends ScreenPlace {
  key: string
  name: string
  fieldType: string
  core: boolean
  /** What is asked, what can be chosen, and whether several values can; of custom fields, and of labels on request forms. */
  prompt?: string
  options?: { id: string; label: string; color: string; parentId: string }[]
  multiple?: boolean
}

/** The layout for an occasion: a stored screen, or one generated from the fields of the container. */
export interface ResolvedScreen {
  screenId: Id | ''
  name: string
  moment: number
  stepId: string
  containerId: Id | ''
  processId: Id | ''
  sections: { title: string; columns: number; fields: ResolvedPlace[] }[]
}

export const resolvedSchema: Schema = {
  type: 'object',
  title: 'ResolvedScreen',
  properties: {
    screenId: {
      type: 'string',
      description: 'The id of the stored screen; empty for a screen that was generated from the fields.',
    },
    name: { type: 'string' },
    moment: Code(screenMoments),
    stepId: { type: 'string' },
    containerId: { type: 'string' },
    processId: { type: 'string' },
    sections: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          title: { type: 'string' },
          columns: { type: 'integer' },
          fields: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                fieldId: { type: 'string' },
                key: { type: 'string' },
                name: { type: 'string' },
                fieldType: {
                  type: 'string',
                  description: 'The type of a custom field; empty for a property that every item has.',
                },
                core: { type: 'boolean', description: 'Whether this is a property that every item has.' },
                prompt: { type: 'string', description: 'What a custom field asks for.' },
                options: {
                  type: 'array',
                  description: 'The active options of a custom field, and the labels that a request form asks for.',
                  items: {
                    type: 'object',
                    properties: {
                      id: { type: 'string' },
                      label: { type: 'string' },
                      color: { type: 'string' },
                      parentId: { type: 'string' },
                    },
                    required: ['id', 'label', 'color', 'parentId'],
                  },
                },
                multiple: { type: 'boolean', description: 'Whether a custom field holds a list of values.' },
                width: { type: 'integer' },
                readOnly: { type: 'boolean' },
                required: { type: 'boolean' },
                visibleIf: { type: 'array', items: { type: 'object' } },
                allowed: { type: 'array', description: 'The only values that a constraint allows here.' },
              },
              required: ['fieldId', 'key', 'name', 'fieldType', 'core', 'width', 'readOnly', 'required', 'visibleIf'],
            },
          },
        },
        required: ['title', 'columns', 'fields'],
      },
    },
  },
  required: ['screenId', 'name', 'moment', 'stepId', 'containerId', 'processId', 'sections'],
}
