-- The job of a mail. When the job was deleted or has no attempts left, the mail is not sent automatically.

alter table outgoing_mail
  add column queue_job_id bigint,
  -- the number of requests to the mail service
  add column request_count int not null default 0;

update outgoing_mail set settled_at = created_at where state = 'no_recipient';
