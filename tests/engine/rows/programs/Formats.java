import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Base64;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.formats.common.TimestampFormat;
import org.apache.flink.formats.csv.CsvRowDataSerializationSchema;
import org.apache.flink.formats.json.JsonFormatOptions;
import org.apache.flink.formats.json.JsonRowDataSerializationSchema;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * What Flink's own formats write of a row. Each line is the four cells of a row, a STRING, a DOUBLE, a
 * BIGINT and a BOOLEAN, in Base64 and parted by commas, a dash for NULL; the answer is the text that
 * flink-csv and the text that flink-json make of it, in Base64 and parted by a comma.
 */
public final class Formats {
    private static final RowType ROW =
            RowType.of(
                    new LogicalType[] {
                        new VarCharType(VarCharType.MAX_LENGTH),
                        new DoubleType(),
                        new BigIntType(),
                        new BooleanType()
                    },
                    new String[] {"s", "x", "n", "b"});

    public static void main(String[] arguments) throws Exception {
        SerializationSchema<RowData> csv = new CsvRowDataSerializationSchema.Builder(ROW).build();
        SerializationSchema<RowData> json =
                new JsonRowDataSerializationSchema(
                        ROW,
                        TimestampFormat.SQL,
                        JsonFormatOptions.MapNullKeyMode.FAIL,
                        "null",
                        false,
                        false);
        csv.open(null);
        json.open(null);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] cells = line.split(",");
            RowData row =
                    GenericRowData.of(
                            cells[0].equals("-") ? null : StringData.fromString(text(cells[0])),
                            cells[1].equals("-") ? null : Double.valueOf(text(cells[1])),
                            cells[2].equals("-") ? null : Long.valueOf(text(cells[2])),
                            cells[3].equals("-") ? null : Boolean.valueOf(text(cells[3])));
            System.out.println("= " + packed(csv.serialize(row)) + "," + packed(json.serialize(row)));
        }
    }

    private static String text(String cell) throws Exception {
        return new String(Base64.getDecoder().decode(cell), "UTF-8");
    }

    private static String packed(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
