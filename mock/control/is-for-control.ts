import type { ServiceRequest } from '../pipeline/exchange.ts';

/** Whether a request is for the control API and not for the service. It stands alone, so that the control API is loaded only when somebody comes. */
export function isForControl({ target }: ServiceRequest): boolean {
  return target.startsWith('/__mock/') || target === '/__mock';
}
