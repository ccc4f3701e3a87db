import {
  ibanBody,
  ibanResponse,
  kybBody,
  kybResponse,
  kycValidateBody,
  kycValidateResponse,
} from '../withdrawal.ts'
import type { Endpoint } from './endpoint.ts'

export const validateKyc = {
  id: 'validateKyc',
  method: 'POST',
  path: '/api/withdraw/kyc/validate',
  headers: { required: ['userId', 'authorization'], optional: [] },
  body: kycValidateBody as typeof kycValidateBody,
  answer: kycValidateResponse as typeof kycValidateResponse,
  errors: [404],
  ofTheDocuments: true,
  summary: "Compares a person's data with the KYC record; a 404 says that there is none",
} as const satisfies Endpoint

export const createIban = {
  id: 'createIban',
  method: 'POST',
  path: '/api/withdraw/iban',
  headers: {
    required: ['userId', 'authorization', 'wallet', 'blockchain', 'merchantId', 'sessionKey'],
    optional: [],
  },
  body: ibanBody as typeof ibanBody,
  answer: ibanResponse as typeof ibanResponse,
  errors: [423],
  ofTheDocuments: true,
  summary: 'Saves a bank account and answers its token',
} as const satisfies Endpoint

export const registerBusiness = {
  id: 'registerBusiness',
  method: 'POST',
  path: '/api/withdraw/kyb',
  headers: { required: ['wallet', 'blockchain', 'userId', 'authorization', 'sessionKey'], optional: [] },
  body: kybBody as typeof kybBody,
  answer: kybResponse as typeof kybResponse,
  errors: [423, 451],
  ofTheDocuments: true,
  summary: 'Verifies a business; a 451 sends the user to a verification link first',
} as const satisfies Endpoint

export const withdrawEndpoints = [validateKyc, createIban, registerBusiness] as const
