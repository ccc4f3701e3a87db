import { authMessageResponse, sessionKeyResponse } from '../auth.ts'
import { emptyAnswer } from '../values.ts'
import type { Endpoint } from './endpoint.ts'

export const getAuthMessage = {
  id: 'getAuthMessage',
  method: 'GET',
  path: '/api/auth',
  headers: { required: ['wallet', 'blockchain'], optional: [] },
  answer: authMessageResponse as typeof authMessageResponse,
  ofTheDocuments: true,
  summary: 'A text for the wallet to sign in with',
} as const satisfies Endpoint

export const verifyAuth = {
  id: 'verifyAuth',
  method: 'GET',
  path: '/api/auth/verify',
  headers: { required: ['wallet', 'blockchain', 'signedMessage'], optional: [] },
  answer: emptyAnswer as typeof emptyAnswer,
  ofTheDocuments: true,
  summary: 'Whether a signed message is a good credential',
} as const satisfies Endpoint

export const getSessionKey = {
  id: 'getSessionKey',
  method: 'GET',
  path: '/api/auth/session-key',
  headers: {
    required: ['authorization'],
    optional: ['userId', 'wallet', 'blockchain'],
    oneOf: [['userId'], ['wallet', 'blockchain']],
  },
  answer: sessionKeyResponse as typeof sessionKeyResponse,
  ofTheDocuments: true,
  summary: 'A session key for an end user, good for 24 hours',
} as const satisfies Endpoint

export const authEndpoints = [getAuthMessage, verifyAuth, getSessionKey] as const
