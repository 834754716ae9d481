// SM2 of BouncyCastle on files: "make DIR" writes key, signature and ciphertexts, "check DIR" reads those of the tool.
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.*;
import java.security.spec.*;
import java.util.*;
import org.bouncycastle.crypto.engines.SM2Engine;
import org.bouncycastle.crypto.params.ParametersWithRandom;
import org.bouncycastle.jcajce.provider.asymmetric.util.ECUtil;
import org.bouncycastle.jcajce.spec.SM2ParameterSpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

public class Bouncy {
    static final int[] LENGTHS = {1, 31, 32, 33, 100, 5000};
    static Path dir;

    static void pem(String file, String label, byte[] der) throws Exception {
        String body = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(der);
        Files.writeString(dir.resolve(file), "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n");
    }

    static byte[] unpem(String file) throws Exception {
        return Base64.getMimeDecoder().decode(Files.readString(dir.resolve(file)).replaceAll("-----[A-Z ]+-----", ""));
    }

    static byte[] read(String file) throws Exception {
        return Files.readAllBytes(dir.resolve(file));
    }

    static Signature signature(String id) throws Exception {
        Signature s = Signature.getInstance("SM3withSM2", "BC");
        s.setParameter(new SM2ParameterSpec(id.getBytes(StandardCharsets.US_ASCII)));
        return s;
    }

    static void check(boolean ok, String what) {
        if (!ok)
            throw new RuntimeException(what);
    }

    public static void main(String[] args) throws Exception {
        Security.addProvider(new BouncyCastleProvider());
        dir = Path.of(args[1]);
        byte[] message = read("message");
        KeyFactory factory = KeyFactory.getInstance("EC", "BC");
        if (args[0].equals("make")) {
            KeyPairGenerator g = KeyPairGenerator.getInstance("EC", "BC");
            g.initialize(new ECGenParameterSpec("sm2p256v1"));
            KeyPair pair = g.generateKeyPair();
            pem("key.pem", "PRIVATE KEY", pair.getPrivate().getEncoded());
            pem("pub.pem", "PUBLIC KEY", pair.getPublic().getEncoded());
            for (String id : List.of("1234567812345678", "ALICE123@YAHOO.COM")) {
                Signature s = signature(id);
                s.initSign(pair.getPrivate());
                s.update(message);
                Files.write(dir.resolve("bc." + id + ".sig"), s.sign());
            }
            for (SM2Engine.Mode mode : SM2Engine.Mode.values())
                for (int n : LENGTHS) {
                    SM2Engine engine = new SM2Engine(mode);
                    engine.init(true, new ParametersWithRandom(ECUtil.generatePublicKeyParameter(pair.getPublic()), new SecureRandom()));
                    Files.write(dir.resolve("bc." + mode.name().toLowerCase() + "." + n), engine.processBlock(message, 0, n));
                }
        } else {
            PublicKey pub = factory.generatePublic(new X509EncodedKeySpec(unpem("own.pub")));
            PrivateKey key = factory.generatePrivate(new PKCS8EncodedKeySpec(unpem("own.pem")));
            for (String id : List.of("1234567812345678", "ALICE123@YAHOO.COM")) {
                Signature s = signature(id);
                s.initVerify(pub);
                s.update(message);
                check(s.verify(read("own." + id + ".sig")), "signature, ID " + id);
            }
            for (SM2Engine.Mode mode : SM2Engine.Mode.values())
                for (int n : LENGTHS) {
                    SM2Engine engine = new SM2Engine(mode);
                    engine.init(false, ECUtil.generatePrivateKeyParameter(key));
                    byte[] in = read("own." + mode.name().toLowerCase() + "." + n);
                    check(Arrays.equals(engine.processBlock(in, 0, in.length), Arrays.copyOf(message, n)), mode + ", " + n + " bytes");
                }
        }
        System.out.println("done");
    }
}
