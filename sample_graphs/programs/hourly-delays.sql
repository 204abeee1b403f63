-- The five carriers with the most delay in each hour, as departures come in.
SET 'pipeline.name' = 'hourly delays';
SET 'parallelism.default' = '2';

CREATE TABLE departures (
  carrier STRING, origin STRING, delay BIGINT, departed TIMESTAMP(3),
  WATERMARK FOR departed AS departed - INTERVAL '5' MINUTE
) WITH ('connector' = 'datagen');
CREATE TABLE worst (hour_end TIMESTAMP(3), carrier STRING, total BIGINT, place BIGINT)
WITH ('connector' = 'print');

CREATE VIEW hourly AS
SELECT window_start, window_end, carrier, SUM(delay) AS total
FROM TABLE(TUMBLE(TABLE departures, DESCRIPTOR(departed), INTERVAL '1' HOUR))
WHERE delay > 0
GROUP BY window_start, window_end, carrier;

INSERT INTO worst
SELECT window_end, carrier, total, place FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY total DESC) AS place
  FROM hourly
) WHERE place <= 5;
