import t from 'tap'
import { type ModelName, modelNames } from '../../../shared/forecast/candidates.ts'
import { type WebhookTopic, webhookJobs } from '../../../shared/queue/jobs.ts'
import { topicNames } from '../../../web/src/pages/sync/topic-names.ts'
import { modelWords } from '../../../web/src/pages/variants/model-words.ts'

// the admin imports neither the forecast nor the queue, so its words of their members are compared here

t.test('the admin has a sentence for each model of a forecast, and for no other', async (t) => {
  t.strictSame(Object.keys(modelWords).sort(), [...modelNames].sort())
  t.ok(modelWords satisfies Record<ModelName, string>)
})

t.test('the admin has a name for each webhook topic, and for no other', async (t) => {
  t.strictSame(Object.keys(topicNames).sort(), Object.keys(webhookJobs).sort())
  t.ok(topicNames satisfies Record<WebhookTopic, string>)
})
