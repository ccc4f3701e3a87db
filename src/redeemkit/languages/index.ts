export { english } from '../core/userMessage/english.ts'
export type { UserMessageKey, UserMessages } from '../core/userMessage/userMessages.ts'
export { ptBr } from './ptBr.ts'
