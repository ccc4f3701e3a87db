import { webhooks } from '../../webhooks.ts'

export { webhooks as POST }
