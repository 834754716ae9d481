// SM2 and RSA of BouncyCastle for limbic-bench, which starts it and keeps the time.
// Says "ready VERSION", then answers each line "SCHEME/OP COUNT" on standard input when it has run the operation so often: with the bytes
// that the thread took from the heap for it, or "none" if it has no such operation. Ends with its input.

import com.sun.management.ThreadMXBean;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.bouncycastle.asn1.gm.GMNamedCurves;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.Signer;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.encodings.OAEPEncoding;
import org.bouncycastle.crypto.engines.RSABlindedEngine;
import org.bouncycastle.crypto.engines.SM2Engine;
import org.bouncycastle.crypto.generators.ECKeyPairGenerator;
import org.bouncycastle.crypto.generators.RSAKeyPairGenerator;
import org.bouncycastle.crypto.params.ECDomainParameters;
import org.bouncycastle.crypto.params.ECKeyGenerationParameters;
import org.bouncycastle.crypto.params.ParametersWithRandom;
import org.bouncycastle.crypto.params.RSAKeyGenerationParameters;
import org.bouncycastle.crypto.signers.RSADigestSigner;
import org.bouncycastle.crypto.signers.SM2Signer;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

class Bouncy {
    interface Operation {
        Object run() throws Exception;
    }

    static final SecureRandom random = new SecureRandom();
    static final Map<String, Operation> operations = new HashMap<>();
    static Object sink;

    static byte[] text(int n) {
        byte[] b = new byte[n];
        for (int i = 0; i < n; i++)
            b[i] = (byte) (i * 29 + 7);
        return b;
    }

    static void check(boolean ok, String what) {
        if (!ok)
            throw new IllegalStateException(what);
    }

    // Signers are set up once, as the contexts of the other columns are.
    static void signatures(String scheme, Signer signer, Signer verifier, CipherParameters priv, CipherParameters pub) throws Exception {
        byte[] message = text(32);
        signer.init(true, priv);
        verifier.init(false, pub);
        Operation sign = () -> {
            signer.update(message, 0, message.length);
            return signer.generateSignature();
        };
        byte[] signature = (byte[]) sign.run();
        operations.put(scheme + "/sign", sign);
        operations.put(scheme + "/verify", () -> {
            verifier.update(message, 0, message.length);
            check(verifier.verifySignature(signature), "a signature does not verify");
            return null;
        });
    }

    static void sm2() throws Exception {
        ECKeyPairGenerator keygen = new ECKeyPairGenerator();
        keygen.init(new ECKeyGenerationParameters(new ECDomainParameters(GMNamedCurves.getByName("sm2p256v1")), random));
        AsymmetricCipherKeyPair keys = keygen.generateKeyPair();
        CipherParameters priv = keys.getPrivate(), pub = keys.getPublic();
        operations.put("sm2/keygen", keygen::generateKeyPair);
        signatures("sm2", new SM2Signer(), new SM2Signer(), new ParametersWithRandom(priv, random), pub);
        for (SM2Engine.Mode mode : SM2Engine.Mode.values()) {
            for (String size : new String[] {"32", "1k", "10k", "100k"}) {
                byte[] text = text(size.endsWith("k") ? 1024 * Integer.parseInt(size.replace("k", "")) : 32);
                SM2Engine encrypt = new SM2Engine(mode), decrypt = new SM2Engine(mode);
                encrypt.init(true, new ParametersWithRandom(pub, random));
                decrypt.init(false, priv);
                byte[] cipher = encrypt.processBlock(text, 0, text.length);
                check(Arrays.equals(text, decrypt.processBlock(cipher, 0, cipher.length)), "SM2 does not decrypt");
                String order = mode == SM2Engine.Mode.C1C3C2 ? "" : "_c1c2c3";
                operations.put("sm2/encrypt_" + size + order, () -> encrypt.processBlock(text, 0, text.length));
                operations.put("sm2/decrypt_" + size + order, () -> decrypt.processBlock(cipher, 0, cipher.length));
            }
        }
    }

    static void rsa() throws Exception {
        RSAKeyPairGenerator keygen = new RSAKeyPairGenerator();
        // 112: the certainty that its JCA provider asks for at this size
        keygen.init(new RSAKeyGenerationParameters(BigInteger.valueOf(65537), random, 2048, 112));
        AsymmetricCipherKeyPair keys = keygen.generateKeyPair();
        operations.put("rsa2048/keygen", keygen::generateKeyPair);
        signatures("rsa2048", new RSADigestSigner(new SHA256Digest()), new RSADigestSigner(new SHA256Digest()), keys.getPrivate(),
            keys.getPublic());
        OAEPEncoding encrypt = new OAEPEncoding(new RSABlindedEngine(), new SHA256Digest());
        OAEPEncoding decrypt = new OAEPEncoding(new RSABlindedEngine(), new SHA256Digest());
        encrypt.init(true, new ParametersWithRandom(keys.getPublic(), random));
        decrypt.init(false, keys.getPrivate());
        byte[] text = text(32), cipher = encrypt.processBlock(text, 0, text.length);
        check(Arrays.equals(text, decrypt.processBlock(cipher, 0, cipher.length)), "RSA does not decrypt");
        operations.put("rsa2048/encrypt_32", () -> encrypt.processBlock(text, 0, text.length));
        operations.put("rsa2048/decrypt_32", () -> decrypt.processBlock(cipher, 0, cipher.length));
    }

    public static void main(String[] args) throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        sm2();
        rsa();
        System.out.println("ready " + new BouncyCastleProvider().getVersionStr());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null;) {
            String[] words = line.split(" ");
            Operation operation = operations.get(words[0]);
            if (operation == null) {
                System.out.println("none");
                continue;
            }
            long count = Long.parseLong(words[1]), before = threads.getThreadAllocatedBytes(self);
            for (long i = 0; i < count; i++)
                sink = operation.run();
            System.out.println(threads.getThreadAllocatedBytes(self) - before);
        }
    }
}
