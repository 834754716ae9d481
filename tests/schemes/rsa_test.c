/*
 * The operations and paddings of RSA against OpenSSL, both ways, on keys of odd shapes; each fault of a padding by itself; what is refused, and that it leaves the
 * outputs alone; overlap; a wrong computation and a weak random source. Run on every instruction set in turn.
 */
#include <limits.h>
#include <openssl/bn.h>
#include <openssl/hmac.h>
#include <openssl/objects.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "base/random.h"
#include "hash/hash.h"
#include "scheme/rsa.h"
#include "tests/check.h"

#define MAX 512 /* bytes of the longest modulus here */
#define BIG 1200

static const struct {
    const char *name, *e, *p, *q;
} key_data[] = {
    {"1024", "10001",
     "f60eccbfa0fb1a2ed85fb966fe88a07a06b92801b20c39264b8a268fac767cf5d09c02f777b6cc6fd1e607a8c9c877ae"
     "6f7ba9e3fbb1b919068bea5adcdaf6b7",
     "cd7365e13a0110209648a5736f8a324a080eff2db852c93605b8835744544e52dfabec87415133fcc1f3045128b96866"
     "e086ea9c4ec49677e41db9674949853d"},
    {"2041, e = 3", "3",
     "1e1ef44b05125ad5e503bc91253e29d615e06b4dce42e107f22375d40a8b0629fd8b7d0ac0b1fedfe2d5cab0c5b83afe"
     "ded8a14f3bb8b9df2eb6556723a1ea50b2c37aab0dd49f6e0e9fe9371e15050ba5debed90e6407e605bb3f8b4b9ce78b"
     "e529b59fcce077a2e135a654b411c74101a5ce207b9d15030899386a9865deb1",
     "0f028c0f8d14e900c13921492bb5d9724a0e89352b3588f4bfa70ab9e7499b69109519ad79f97ca8e92ee3c2bba5f64c"
     "4f76468f64c3c29ab4d3b8cf9431cacc010b9beff263c6d633986a3fea156f451a9e5e99a44587bd5054777f6b4fdb13"
     "8b805cd949f78f1dab3f548f0359b8835ffc1d74f64a73f2929716b8a52876bb"},
    {"2048", "10001",
     "e592d355f2503f9a8e9ed81a3b76ecfb534d45e52a57166c58045adc6b44919dc595537687eb315de77347c1694492a7"
     "8dfec6120a4e92ed810dd9d0e53fd26091bb39dc84eef3e01c47201efc14cb3f9e238cf0a54a2b8aea5fe4cb4eb1fe16"
     "97f23c724d00ac61c61e3f5c0c7a6c9bec69f18d972926f4e987bddf67a9dafb",
     "c87363fd34c77e05922aaadd721d3943abf2159b519e7e6ea2fb9534233b745b2b45a30cb90f1362da06adf015886104"
     "5376cd721d27ca6864b4b54e5b8c18a9bea1b4bb76af97d0268083f5ef61f7a499ab7d778a58615ce68f02fd2657c623"
     "f6b2a6b29f19fddbc2f4797e45662e93d1466e792864668fdf0731e830e5121f"},
    {"2048, e of 65 bits", "1000000000000000d",
     "e88b3bf6cf40eaa73f62c7953b6e3a4a8c0d84b4eea496a8df2f52fcfc183f9db346ba8b3a1c99110925b860b1b6d953"
     "c8ac83c45b9dbe43e97e922923dc6dc9678873b1abc7f72153f0b5a49390eec384d2c02ec1da77164384d25f224e9ca2"
     "0be2f3eb8c3d2797b413f851df1757e0fbe4d71fafe38b36f69cbb8dd724b5f9",
     "e600af399e3f9b9836852d3d0d85627396359840fd7baa9d61cab31d3667824d7f0d1876d7109eb4a32f2f116d5919aa"
     "58a027d5c9a60f527d12fb92715ac581f5b5b2bd3f705998871d44fb8cbf549bc123e03963c9cdef417d31c837ce6a45"
     "2c38785b4dc4919c3f22d87c8a8268ec5fc81872afeaae99da5e3a16ce65eea9"},
    {"2049", "10001",
     "01a214c967a2d2a95b696586c53876c38d5217342c0876c752bc5ac87e907c0647ea3664dc1feff12fe4396e1e56be74"
     "3cd3481f86c6f9109cf7cc57404fb21d49a37b9f285384fb521c0aa2f9895b5c3cf9db980e2affa3d71c099d125efa0f"
     "3d0afa958511d279e536f2594511066971d66e2e46679f7f182a6c762d74a4c829",
     "fd7ddf32d3d50b6d28e18eded71af12d90ec0241e022f593afb38f52eb5c9e5937a63e37ef0334ce407a28d3eec5a99b"
     "ecb2e56288c23e759dcdb8c7d00ef0d46c752cddf652e74e7c7993b2940e27c5c3119291d7ec5669d1ae006a8c6a4e22"
     "2c7ca0d5cda218c8a35571b8b2f69078ab784039c705e6ea642da24672aed5b7"},
    {"2048, p longer than q", "10001",
     "c4483ff5a5d9a65163dc0d69b469d66606c1685833631b8d71e7fc5a02e1c4064dcaa8b8765d5e2d25e7affeb275fe5e"
     "5b90d0b9c799797366298a42932cf6a919d015b5e6d27488f891ab0008a46928d86f2c158466ac895f95cf9b72a2d327"
     "fe254b00aefe36ce11f7c870c96bd0781e18dcfcf467b45f610c5257a24d850b2a9093659382846bc25760d14b819800"
     "8c3d32cf46ada9e1",
     "efc221664a71fa8c8b894f6905b461bed239b73458ab61f594cd6723fa39c5d808aad62cae3a262c62a1deb61bec04f7"
     "7dff7bab5d0cdfb7251f3e77811713ea3b6b506c5371e94c50bb1058e3072eacfd7c1da6226bf0dac4c9cadbd53af53b"
     "a25e1ce1d4feafb3"},
    {"2048, p shorter than q", "10001",
     "fe29a7adf5ff298d1776d6bf74d23deecf0a2f3ba94c0ae9c55a92653dad8949f1fb914526877b3ad17c989c06685446"
     "2e8286d6bcf97496bef9cec0dbbc2038f500405335c31260cd85d5",
     "f96353c0fed0780dd085909334c43d5afad058a91e0aac31e981e15e2ba50d6cd337224ccb181212985ad4d5d213bbd8"
     "e52d8c1dec6f987d0c567cdf519acf37580c9453d12c1a0f4ccf1a55e8136d35d7a0674ca1424ae268cbc90100b44a00"
     "3095778b1edb64fb92a076d3e27136bd96643f76134a37f3fa71b619acaed845a9c374a0c754eee14fcafd0dec037eb3"
     "bb28df04d52ab4c05448577bc137d021da95d6768b1b00a4b976f1d1a4af6eefa00df5d6f5"},
    {"3072", "10001",
     "f389edacf864b303a449b22933bc6528a9b5eeea63486936b11d17f725dbab31e0aeadb003a28bea6e1e41a90dd3a9e9"
     "ad0b6f16d0d7acc5614a1ee060ad7d54f681a62f9bfabc7952b8a0440ab241f2712375ed0e0e594169fb821cd1b1e334"
     "88b350f32f0734951beb195e4aa5083f66dfb6b356129e9a807e9238ff1ffeda7093451a267172fd324d89cf9606cda6"
     "02cd697ed05bf244ea17a65e2207db76438d408869e43b7b9a41c96274522e45c521305817a20dbc880951df6b63901d",
     "d969f8c65f5d46fd25655fbe4c3f546ee3cf36908e5b7e6e2bc54d13a7d68fe6c877d681ae23ae85f9ea745bba660db6"
     "35c0468879f4cc92480542b59f3abccc42a7e59f7fd924233592df638bfbafffd4dec54389072a6d5371cd1e9b5ab6e8"
     "82822e3b20f751fc1f9390c774cacacd2fe86cf4d27a85e26100903896b6745b98d5b571d4e5c99152e6feef884f3fb7"
     "909f547eae478e69a9ee04439505af4a974f4fc2c0c18c055a540a1f6f13fe026000495ee242fd2e0393ec4747c62c71"},
    {"4096", "3",
     "e4e186925ad63fd9904b07c9beb6e6ff0b8ed5081fc2e1c60e44233b872171a0086b4f1c7b63220770c81af2a7a9a4f9"
     "0eac1c32f9aade4c6245c98332fec4e15dd196672f19d637dfcaf7e88415af338d6266951bd7bfa2944505f3e34206b3"
     "6f851230b80c2c3b4fd83422c66409d2048104c5173d155a3119d3098914377b88973c1c797e3b1986da3bb9da04425a"
     "b922711f8a9486e80ec61ffb5fe982758e317edc8f42a5efcca1653575c354cc488ae33b95937718fe39039eea2b8ab5"
     "f79100b1d8384d7dae503d9783ec2835f6992d1493289a231afe40379b9629fd15b8c2438103f3965cc239defbd0019a"
     "210c5946a7594402d48c2adc03ba4b3b",
     "cfbaa5e24f255a9101df7caccbd01311867db33f4096f9860acdc7f7c0cf5766ffabd53f444908731128f933cac66fea"
     "4cf14e5f3087cc1b7200a9329479137f20221c9766a7b4c2550305817787566263cd4fe6bbcb743c722e0f8923501c8f"
     "0c5bf0fc470720a43947d107224cf17d3481dd3bf3dc01ab8034d2de432dcbb6a4f690a0805bb64e0fa7d58731ecd361"
     "5b57e4eb7e5de6cec87f3049133e354ffdc3fc2373f2adbea902b139a367cd766cf420df1caf7d892dca305e1291d96e"
     "7cce376468229972b351213ac2b801deb034f8ba680e986a694c575dc0595e68a25e97436a47a54a3462d779c247a498"
     "18bf0266aec5a85116bd2a7e901d0b49"},
};
#define KEYS (sizeof key_data / sizeof key_data[0])

enum { K1024, K2041, K2048, K2048_E65, K2049, K2048_LONG_P, K2048_SHORT_P, K3072, K4096 };

static struct key {
    const char *name;
    size_t k;
    uint64_t *priv, *pub, *bare; /* bare: without primes; no private keys of 1024 bits */
    size_t priv_len, pub_len;
    RSA *peer;
    uint8_t n[MAX];
} keys[KEYS];

static const limbic_hash hashes[] = {LIMBIC_SHA256, LIMBIC_SHA384, LIMBIC_SHA512, LIMBIC_SM3};
#define HASHES (sizeof hashes / sizeof hashes[0])

static const EVP_MD *md_of(limbic_hash hash) {
    switch (hash) {
    case LIMBIC_SHA384:
        return EVP_sha384();
    case LIMBIC_SHA512:
        return EVP_sha512();
    case LIMBIC_SM3:
        return EVP_sm3();
    case LIMBIC_SHA256:
    case LIMBIC_HASH_DEFAULT:
        break;
    }
    return EVP_sha256();
}

#define MUST(x)                                                                                              \
    do {                                                                                                     \
        if (!(x)) {                                                                                          \
            (void)fprintf(stderr, "cannot go on: %s\n", #x);                                                 \
            exit(2);                                                                                         \
        }                                                                                                    \
    } while (0)

static limbic_rsa_number number(const BIGNUM *x, uint8_t *bytes) {
    return (limbic_rsa_number){bytes, (size_t)BN_bn2bin(x, bytes)};
}

static uint64_t *key_buffer(size_t bytes) {
    uint64_t *key = calloc(1, bytes);
    MUST(key && bytes);
    return key;
}

/* d = 1/e mod (p - 1)(q - 1): not the smallest one. */
static void make_keys(void) {
    BN_CTX *c = BN_CTX_new();
    for (size_t i = 0; i < KEYS; i++) {
        struct key *key = &keys[i];
        uint8_t bytes[5][MAX];
        BIGNUM *p = NULL, *q = NULL, *e = NULL, *n = BN_new(), *d = BN_new(), *dp = BN_new(), *dq = BN_new(),
               *qinv = BN_new(), *p1, *q1;
        MUST(c && BN_hex2bn(&p, key_data[i].p) && BN_hex2bn(&q, key_data[i].q) &&
             BN_hex2bn(&e, key_data[i].e));
        p1 = BN_dup(p);
        q1 = BN_dup(q);
        MUST(p1 && q1 && BN_sub_word(p1, 1) && BN_sub_word(q1, 1) && BN_mul(n, p1, q1, c) &&
             BN_mod_inverse(d, e, n, c) && BN_mul(n, p, q, c) && BN_mod(dp, d, p1, c) &&
             BN_mod(dq, d, q1, c) && BN_mod_inverse(qinv, q, p, c));
        key->name = key_data[i].name;
        key->k = (size_t)BN_num_bytes(n);
        MUST(BN_bn2bin(n, key->n) == (int)key->k);
        const limbic_rsa_numbers public = {.n = number(n, bytes[0]), .e = number(e, bytes[1])};
        limbic_rsa_numbers private = public, bare = public;
        bare.d = private.d = number(d, bytes[2]);
        private.p = number(p, bytes[3]);
        private.q = number(q, bytes[4]);
        const size_t bits = (size_t)BN_num_bits(n);
        key->pub_len = limbic_rsa_public_bytes(bits);
        key->priv_len = limbic_rsa_private_bytes(bits);
        key->pub = key_buffer(key->pub_len);
        MUST(!limbic_rsa_public_import(key->pub, key->pub_len, &public));
        if (bits >= LIMBIC_RSA_MIN_PRIVATE_BITS) {
            key->priv = key_buffer(key->priv_len);
            key->bare = key_buffer(key->priv_len);
            MUST(!limbic_rsa_private_import(key->priv, key->priv_len, &private));
            MUST(!limbic_rsa_private_import(key->bare, key->priv_len, &bare));
        }
        key->peer = RSA_new();
        MUST(key->peer && RSA_set0_key(key->peer, n, e, d) && RSA_set0_factors(key->peer, p, q) &&
             RSA_set0_crt_params(key->peer, dp, dq, qinv));
        BN_free(p1);
        BN_free(q1);
    }
    BN_CTX_free(c);
}

static void free_keys(void) {
    for (size_t i = 0; i < KEYS; i++) {
        free(keys[i].priv);
        free(keys[i].pub);
        free(keys[i].bare);
        RSA_free(keys[i].peer);
    }
}

/* The random source, by the linker's --wrap: what is asked for first comes from here. */
enum { SYSTEM, FAILS, ZERO, ONES, FACTOR };
static int random_mode;
static unsigned random_calls;
static uint64_t last_random[MAX / 8];
static const struct key *random_key;
limbic_status __real_limbic_random(void *out, size_t n);
limbic_status __wrap_limbic_random(void *out, size_t n);
limbic_status __wrap_limbic_random(void *out, size_t n) {
    limbic_status status = LIMBIC_OK;
    struct limbic_rsa x;
    random_calls++;
    memset(out, random_mode == ONES ? 0xff : 0, n);
    if (random_mode == FAILS)
        status = LIMBIC_ERR_RANDOM;
    else if (random_mode == SYSTEM)
        status = __real_limbic_random(out, n);
    else if (random_mode == FACTOR && !limbic_rsa_open(&x, random_key->priv, random_key->priv_len, 1))
        memcpy(out, x.p.m, 8 * x.p.limbs);
    if (random_mode != FAILS)
        random_mode = SYSTEM;
    memcpy(last_random, out, n < sizeof last_random ? n : sizeof last_random);
    return status;
}

/* Bytes that differ from call to call and run alike each time. */
static void fill(uint8_t *out, size_t n) {
    static uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = 0; i < n; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        out[i] = (uint8_t)(state >> 56);
    }
}

/* The status that a call must give, and that none of out's bytes changed. */
#define REFUSED(want, out, call)                                                                             \
    do {                                                                                                     \
        memset(out, 0xa5, sizeof(out));                                                                      \
        limbic_status got_ = (call);                                                                         \
        int clean_ = 1;                                                                                      \
        for (size_t i_ = 0; i_ < sizeof(out); i_++)                                                          \
            clean_ &= ((const uint8_t *)(out))[i_] == 0xa5;                                                  \
        check(got_ == (want) && clean_, "line %d, %s: status %d, wanted %d%s", __LINE__, #call, (int)got_,   \
              (int)(want), clean_ ? "" : ", output touched");                                                \
    } while (0)

/* The numbers themselves. */

static void raw(const struct key *key) {
    const size_t k = key->k;
    uint8_t in[MAX + 2], out[MAX + 2], want[MAX];
    const int has_private = key->priv != NULL;
    for (int i = 0; i < 7; i++) {
        memset(in, 0, sizeof in);
        if (i == 0 || i == 1 || i == 2)
            in[k - 1] = (uint8_t)i;
        else if (i < 5)
            memcpy(in, key->n, k);
        if (i == 3 || i == 4)
            in[k - 1]--; /* n - 1 */
        if (i == 4)
            in[k - 1]--; /* n - 2, but above n, and left out, where n ends in 01 */
        if (i > 4) {
            fill(in, k);
            in[0] = 0;
        }
        if (memcmp(in, key->n, k) >= 0)
            continue;
        MUST(RSA_public_encrypt((int)k, in, want, key->peer, RSA_NO_PADDING) == (int)k);
        check(!limbic_rsa_public_op(key->pub, key->pub_len, out, k, in, k) && !memcmp(out, want, k),
              "%s: input %d to the public power", key->name, i);
        check((i != 0 && i != 1 && i != 3) || !memcmp(want, in, k), "%s: 0, 1 and n - 1 stay", key->name);
        if (!has_private)
            continue;
        check(!limbic_rsa_public_op(key->priv, key->priv_len, out, k, in, k) && !memcmp(out, want, k),
              "%s: a private key serves as public one", key->name);
        check(!limbic_rsa_private_op(key->priv, key->priv_len, out, k, want, k) && !memcmp(out, in, k),
              "%s: the private power undoes the public one, input %d", key->name, i);
        MUST(RSA_private_encrypt((int)k, in, want, key->peer, RSA_NO_PADDING) == (int)k);
        check(!limbic_rsa_private_op(key->priv, key->priv_len, out, k, in, k) && !memcmp(out, want, k),
              "%s: input %d to the private power", key->name, i);
        if (i == 5)
            check(!limbic_rsa_private_op(key->bare, key->priv_len, out, k, in, k) && !memcmp(out, want, k),
                  "%s: input %d to the private power without primes", key->name, i);
    }
    memcpy(in, key->n, k);
    REFUSED(LIMBIC_ERR_VALUE, out, limbic_rsa_public_op(key->pub, key->pub_len, out, k, in, k));
    memset(in, 0xff, k);
    REFUSED(LIMBIC_ERR_VALUE, out, limbic_rsa_public_op(key->pub, key->pub_len, out, k, in, k));
    if (has_private) {
        REFUSED(LIMBIC_ERR_VALUE, out, limbic_rsa_private_op(key->priv, key->priv_len, out, k, in, k));
        memcpy(in, key->n, k);
        REFUSED(LIMBIC_ERR_VALUE, out, limbic_rsa_private_op(key->priv, key->priv_len, out, k, in, k));
    }
}

/* Signatures, both ways. */

/* The DER of DigestInfo by OpenSSL. */
static size_t digest_info(uint8_t *out, limbic_hash hash, const uint8_t *digest) {
    X509_SIG *sig = X509_SIG_new();
    X509_ALGOR *algorithm;
    ASN1_OCTET_STRING *octets;
    MUST(sig);
    X509_SIG_getm(sig, &algorithm, &octets);
    MUST(X509_ALGOR_set0(algorithm, OBJ_nid2obj(EVP_MD_type(md_of(hash))), V_ASN1_NULL, NULL) &&
         ASN1_OCTET_STRING_set(octets, digest, (int)limbic_hash_bytes(hash)));
    int n = i2d_X509_SIG(sig, &out);
    MUST(n > 0);
    X509_SIG_free(sig);
    return (size_t)n;
}

static void signatures(const struct key *key) {
    const size_t k = key->k;
    uint8_t digest[LIMBIC_MAX_DIGEST_BYTES], info[128], sig[MAX], want[MAX], em[MAX];
    for (size_t i = 0; i < HASHES; i++) {
        const limbic_hash hash = hashes[i], mgf_hash = hashes[(i + 1) % HASHES];
        const size_t h = limbic_hash_bytes(hash);
        const char *name = limbic_hash_name(hash);
        fill(digest, h);
        size_t n = digest_info(info, hash, digest);
        MUST(RSA_private_encrypt((int)n, info, want, key->peer, RSA_PKCS1_PADDING) == (int)k);
        check(!limbic_rsa_verify_pkcs1(key->pub, key->pub_len, want, k, hash, digest, h),
              "%s, %s: PKCS #1 signature of OpenSSL's", key->name, name);
        if (key->priv) {
            check(!limbic_rsa_sign_pkcs1(key->priv, key->priv_len, sig, k, hash, digest, h) &&
                      !memcmp(sig, want, k),
                  "%s, %s: PKCS #1 signature", key->name, name);
            if (hash == LIMBIC_SHA256)
                check(!limbic_rsa_sign_pkcs1(key->bare, key->priv_len, sig, k, LIMBIC_HASH_DEFAULT, digest,
                                             h) &&
                          !memcmp(sig, want, k),
                      "%s: PKCS #1 signature without primes, default hash", key->name);
        }
        want[k / 2] ^= 1;
        check(limbic_rsa_verify_pkcs1(key->pub, key->pub_len, want, k, hash, digest, h) ==
                  LIMBIC_ERR_SIGNATURE,
              "%s, %s: a changed PKCS #1 signature", key->name, name);

        /* H, 01 and BC; and a byte less where the modulus has 8k - 7 bits */
        const int max = (int)(k - (key->n[0] == 1) - h - 2);
        const int salts[] = {0, (int)h, max, 20};
        const int told[] = {0, LIMBIC_RSA_SALT_DIGEST, LIMBIC_RSA_SALT_MAX, 20};
        for (size_t j = 0; j < 4; j++) {
            const limbic_hash mgf = j % 2 ? mgf_hash : LIMBIC_HASH_DEFAULT;
            const EVP_MD *mgf_md = md_of(j % 2 ? mgf_hash : hash);
            if (salts[j] > max)
                continue; /* SHA-512 in 1024 bits */
            MUST(RSA_padding_add_PKCS1_PSS_mgf1(key->peer, em, digest, md_of(hash), mgf_md, salts[j]) &&
                 RSA_private_encrypt((int)k, em, want, key->peer, RSA_NO_PADDING) == (int)k);
            check(
                !limbic_rsa_verify_pss(key->pub, key->pub_len, want, k, hash, mgf, told[j], digest, h) &&
                    !limbic_rsa_verify_pss(key->pub, key->pub_len, want, k, hash, mgf, salts[j], digest, h) &&
                    !limbic_rsa_verify_pss(key->pub, key->pub_len, want, k, hash, mgf, LIMBIC_RSA_SALT_ANY,
                                           digest, h),
                "%s, %s: PSS signature of OpenSSL's with %d bytes of salt", key->name, name, salts[j]);
            check(limbic_rsa_verify_pss(key->pub, key->pub_len, want, k, hash, mgf,
                                        salts[j] ? salts[j] - 1 : 1, digest, h) == LIMBIC_ERR_SIGNATURE,
                  "%s, %s: PSS, salt length is exact", key->name, name);
            want[k / 2] ^= 1;
            check(limbic_rsa_verify_pss(key->pub, key->pub_len, want, k, hash, mgf, LIMBIC_RSA_SALT_ANY,
                                        digest, h) == LIMBIC_ERR_SIGNATURE,
                  "%s, %s: a changed PSS signature", key->name, name);
            if (!key->priv || (j != i && key != &keys[K2049]))
                continue;
            check(!limbic_rsa_sign_pss(key->priv, key->priv_len, sig, k, hash, mgf, told[j], digest, h) &&
                      RSA_public_decrypt((int)k, sig, em, key->peer, RSA_NO_PADDING) == (int)k &&
                      RSA_verify_PKCS1_PSS_mgf1(key->peer, digest, md_of(hash), mgf_md, em, salts[j]) == 1,
                  "%s, %s: PSS signature with %d bytes of salt", key->name, name, salts[j]);
        }
        if (key->priv)
            REFUSED(LIMBIC_ERR_SALT, sig,
                    limbic_rsa_sign_pss(key->priv, key->priv_len, sig, k, hash, LIMBIC_HASH_DEFAULT, max + 1,
                                        digest, h));
        check(limbic_rsa_verify_pss(key->pub, key->pub_len, sig, k, hash, LIMBIC_HASH_DEFAULT, max + 1,
                                    digest, h) == LIMBIC_ERR_SALT,
              "%s, %s: verification with a salt that has no room", key->name, name);
    }
}

/* Encryption, both ways. */

static void encryption(const struct key *key) {
    const size_t k = key->k;
    uint8_t msg[MAX], c[MAX], em[MAX], out[MAX];
    const uint8_t label[] = "a label";
    for (size_t i = 0; i < HASHES + 1; i++) {
        const int oaep = i < HASHES;
        const limbic_hash hash = oaep ? hashes[i] : LIMBIC_HASH_DEFAULT,
                          mgf_hash = i % 2 ? hashes[(i + 1) % HASHES] : LIMBIC_HASH_DEFAULT;
        const EVP_MD *md = md_of(hash), *mgf_md = md_of(i % 2 ? mgf_hash : hash);
        const limbic_rsa_padding padding = oaep ? LIMBIC_RSA_OAEP : LIMBIC_RSA_PKCS1;
        const size_t max = limbic_rsa_max_message(key->pub, key->pub_len, padding, hash);
        check(max == (oaep ? k - 2 - 2 * limbic_hash_bytes(hash) : k - 11), "%s: longest message", key->name);
        const size_t lengths[] = {0, 1, max / 2, max - 1, max};
        for (size_t j = 0; j < 5; j++) {
            if (key != &keys[K2048] && key != &keys[K2049] && j != i)
                continue;
            const size_t n = lengths[j], label_len = j % 2 ? sizeof label : 0;
            const uint8_t *l = label_len ? label : NULL;
            size_t out_len = j % 2 ? max : sizeof out;
            fill(msg, sizeof msg);
            msg[0] = 0; /* looks like padding */
            msg[1] = 1;
            /* theirs to us */
            if (oaep)
                MUST(
                    RSA_padding_add_PKCS1_OAEP_mgf1(em, (int)k, msg, (int)n, l, (int)label_len, md, mgf_md) &&
                    RSA_public_encrypt((int)k, em, c, key->peer, RSA_NO_PADDING) == (int)k);
            else
                MUST(RSA_public_encrypt((int)n, msg, c, key->peer, RSA_PKCS1_PADDING) == (int)k);
            memset(out, 0xa5, sizeof out);
            limbic_status status =
                oaep ? limbic_rsa_decrypt_oaep(key->priv, key->priv_len, out, &out_len, hash, mgf_hash, l,
                                               label_len, c, k)
                     : limbic_rsa_decrypt_pkcs1(key->priv, key->priv_len, out, &out_len, c, k);
            int rest = 1;
            for (size_t at = n; at < sizeof out; at++)
                rest &= out[at] == 0xa5;
            check(!status && out_len == n && !memcmp(out, msg, n) && rest,
                  "%s, padding %d, hash %d: %zu bytes from OpenSSL", key->name, (int)padding, (int)hash, n);
            /* ours to them */
            status = oaep ? limbic_rsa_encrypt_oaep(key->pub, key->pub_len, c, k, hash, mgf_hash, l,
                                                    label_len, n ? msg : NULL, n)
                          : limbic_rsa_encrypt_pkcs1(key->pub, key->pub_len, c, k, n ? msg : NULL, n);
            MUST(RSA_private_decrypt((int)k, c, em, key->peer, RSA_NO_PADDING) == (int)k);
            int got = oaep ? RSA_padding_check_PKCS1_OAEP_mgf1(out, sizeof out, em + 1, (int)k - 1, (int)k, l,
                                                               (int)label_len, md, mgf_md)
                           : RSA_padding_check_PKCS1_type_2(out, sizeof out, em, (int)k, (int)k);
            check(!status && em[0] == 0 && got == (int)n && !memcmp(out, msg, n),
                  "%s, padding %d, hash %d: %zu bytes to OpenSSL", key->name, (int)padding, (int)hash, n);
        }
        if (oaep)
            REFUSED(
                LIMBIC_ERR_MESSAGE, c,
                limbic_rsa_encrypt_oaep(key->pub, key->pub_len, c, k, hash, mgf_hash, NULL, 0, msg, max + 1));
        else
            REFUSED(LIMBIC_ERR_MESSAGE, c,
                    limbic_rsa_encrypt_pkcs1(key->pub, key->pub_len, c, k, msg, max + 1));
    }
}

/* Blocks made here, with one byte of them changed: before masking (in OAEP, a byte of DB), or at last. at < 0: nothing. */

struct fault {
    int masked, at;
    uint8_t by;
};

static void mgf_xor(limbic_hash hash, uint8_t *out, size_t n, const uint8_t *seed, size_t seed_len) {
    uint8_t mask[MAX];
    MUST(n <= sizeof mask && !PKCS1_MGF1(mask, (long)n, seed, (long)seed_len, md_of(hash)));
    for (size_t i = 0; i < n; i++)
        out[i] ^= mask[i];
}

/* em has as many bytes as the encoding, emBits of them bits. */
static void pss_block(uint8_t *em, size_t em_bits, limbic_hash hash, const uint8_t *salt, size_t salt_len,
                      const uint8_t *digest, struct fault fault) {
    const size_t n = (em_bits + 7) / 8, h = limbic_hash_bytes(hash), db = n - h - 1;
    uint8_t m[8 + LIMBIC_MAX_DIGEST_BYTES + MAX] = {0};
    memcpy(m + 8, digest, h);
    memcpy(m + 8 + h, salt, salt_len);
    memset(em, 0, n);
    em[db - salt_len - 1] = 1;
    memcpy(em + db - salt_len, salt, salt_len);
    MUST(!limbic_digest(hash, em + db, h, m, 8 + h + salt_len));
    em[n - 1] = 0xbc;
    if (fault.masked && fault.at >= 0)
        em[fault.at] ^= fault.by;
    mgf_xor(hash, em, db, em + db, h);
    em[0] &= (uint8_t)(0xff >> (8 * n - em_bits));
    if (!fault.masked && fault.at >= 0)
        em[fault.at] ^= fault.by;
}

static void oaep_block(uint8_t *em, size_t k, limbic_hash hash, const uint8_t *msg, size_t msg_len,
                       struct fault fault) {
    const size_t h = limbic_hash_bytes(hash), db = k - h - 1;
    uint8_t *seed = em + 1, *data = seed + h;
    memset(em, 0, k);
    fill(seed, h);
    MUST(!limbic_digest(hash, data, h, NULL, 0));
    data[db - msg_len - 1] = 1;
    memcpy(data + db - msg_len, msg, msg_len);
    if (fault.masked && fault.at >= 0)
        data[fault.at] ^= fault.by;
    mgf_xor(hash, data, db, seed, h);
    mgf_xor(hash, seed, h, data, db);
    if (!fault.masked && fault.at >= 0)
        em[fault.at] ^= fault.by;
}

/* Makes a signature or ciphertext of a block with OpenSSL. */
static void sign_block(const struct key *key, uint8_t *sig, const uint8_t *em) {
    MUST(RSA_private_encrypt((int)key->k, em, sig, key->peer, RSA_NO_PADDING) == (int)key->k);
}
static void encrypt_block(const struct key *key, uint8_t *c, const uint8_t *em) {
    MUST(RSA_public_encrypt((int)key->k, em, c, key->peer, RSA_NO_PADDING) == (int)key->k);
}

static void pkcs1_signature_faults(const struct key *key) {
    const size_t k = key->k;
    uint8_t digest[32], em[MAX], sig[MAX], good[MAX], info[128];
    fill(digest, sizeof digest);
    const size_t n = digest_info(info, LIMBIC_SHA256, digest), t = k - n;
    memset(good, 0xff, k);
    good[0] = 0;
    good[1] = 1;
    good[t - 1] = 0;
    memcpy(good + t, info, n);
    /* one byte at a time: the head, ends of the padding, all of DigestInfo */
    for (size_t at = 0; at < k; at++) {
        if (at > 4 && at < t - 3)
            continue;
        for (unsigned by = 0; by < 2; by++) {
            memcpy(em, good, k);
            em[at] ^= by ? 0x80 : 1;
            if (memcmp(em, key->n, k) >= 0)
                continue;
            sign_block(key, sig, em);
            check(limbic_rsa_verify_pkcs1(key->pub, key->pub_len, sig, k, LIMBIC_SHA256, digest, 32) ==
                      LIMBIC_ERR_SIGNATURE,
                  "%s: PKCS #1, byte %zu of the block changed", key->name, at);
        }
    }
    /* other encodings of the same, and more data behind or inside */
    static const struct {
        const char *what;
        size_t cut, put; /* bytes from this one of DigestInfo on that are replaced by more */
        uint8_t with[6];
        size_t with_len;
        uint8_t outer, inner; /* added to the lengths */
    } forms[] = {
        {"as it is", 0, 0, {0}, 0, 0, 0},
        {"no parameters", 15, 2, {0}, 0, 0xfe, 0xfe},
        {"a length of two bytes", 1, 1, {0x81, 0x31}, 2, 0, 0},
        {"a length of two bytes inside", 3, 1, {0x81, 0x0d}, 2, 1, 0},
        {"data in the parameters", 15, 2, {0x05, 0x02, 0xaa, 0xbb}, 4, 2, 2},
        {"data behind, counted", 51, 0, {0xaa, 0xbb}, 2, 2, 0},
        {"data behind, not counted", 51, 0, {0xaa, 0xbb}, 2, 0, 0},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        uint8_t bad[128];
        MUST(n == 51);
        memcpy(bad, info, forms[i].cut);
        memcpy(bad + forms[i].cut, forms[i].with, forms[i].with_len);
        memcpy(bad + forms[i].cut + forms[i].with_len, info + forms[i].cut + forms[i].put,
               n - forms[i].cut - forms[i].put);
        const size_t len = n + forms[i].with_len - forms[i].put;
        bad[1] = (uint8_t)(bad[1] + forms[i].outer);
        bad[3] = (uint8_t)(bad[3] + forms[i].inner);
        MUST(RSA_private_encrypt((int)len, bad, sig, key->peer, RSA_PKCS1_PADDING) == (int)k);
        check(limbic_rsa_verify_pkcs1(key->pub, key->pub_len, sig, k, LIMBIC_SHA256, digest, 32) ==
                  (i ? LIMBIC_ERR_SIGNATURE : LIMBIC_OK),
              "%s: PKCS #1, DigestInfo with %s", key->name, forms[i].what);
    }
    /* DigestInfo at the left end of short padding, rubbish behind (Bleichenbacher's forgery for e = 3) */
    memset(em, 0xaa, k);
    memset(em, 0xff, 11);
    em[0] = em[10] = 0;
    em[1] = 1;
    memcpy(em + 11, info, n);
    sign_block(key, sig, em);
    check(limbic_rsa_verify_pkcs1(key->pub, key->pub_len, sig, k, LIMBIC_SHA256, digest, 32) ==
              LIMBIC_ERR_SIGNATURE,
          "%s: PKCS #1, padding cut short", key->name);
    sign_block(key, sig, good);
    check(limbic_rsa_verify_pkcs1(key->pub, key->pub_len, sig, k, LIMBIC_SM3, digest, 32) ==
              LIMBIC_ERR_SIGNATURE,
          "%s: PKCS #1, another hash", key->name);
    check(limbic_rsa_verify_pkcs1(key->pub, key->pub_len, key->n, k, LIMBIC_SHA256, digest, 32) ==
              LIMBIC_ERR_SIGNATURE_RANGE,
          "%s: PKCS #1, a signature of n", key->name);
}

static void pss_faults(const struct key *key) {
    const size_t k = key->k, bits = limbic_rsa_bits(key->pub, key->pub_len), em_bits = bits - 1,
                 bytes = (em_bits + 7) / 8, skip = k - bytes, h = 32, db = bytes - h - 1, salt_len = 20;
    const int top = (int)(em_bits % 8); /* bits in the first byte; 0: all */
    uint8_t digest[32], salt[20], em[MAX], sig[MAX];
    fill(digest, sizeof digest);
    const struct {
        const char *what;
        struct fault fault;
        int good;
    } rows[] = {
        {"nothing", {0, -1, 0}, 1},
        {"the last byte", {0, (int)bytes - 1, 0x70}, 0},
        {"the first bit of H", {1, (int)db, 0x80}, 0},
        {"the last bit of H", {1, (int)(bytes - 2), 1}, 0},
        {"the first byte of the zeros", {1, 0, 1}, 0},
        {"a byte of the zeros to 01: the salt starts there", {1, (int)(db - salt_len - 8), 1}, 0},
        {"the last byte of the zeros", {1, (int)(db - salt_len - 2), 2}, 0},
        {"01 to 02", {1, (int)(db - salt_len - 1), 3}, 0},
        {"01 to 81", {1, (int)(db - salt_len - 1), 0x80}, 0},
        {"the first byte of the salt", {1, (int)(db - salt_len), 1}, 0},
        {"the last byte of the salt", {1, (int)(db - 1), 0x80}, 0},
        {"a bit above the encoding", {0, 0, top ? (uint8_t)(1 << top) : 0}, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!rows[i].fault.by && !rows[i].good)
            continue;
        do { /* below n with that bit too */
            fill(salt, sizeof salt);
            em[0] = 0;
            pss_block(em + skip, em_bits, LIMBIC_SHA256, salt, salt_len, digest, rows[i].fault);
        } while (memcmp(em, key->n, k) >= 0);
        sign_block(key, sig, em);
        for (int any = 0; any < 2; any++)
            check(limbic_rsa_verify_pss(key->pub, key->pub_len, sig, k, LIMBIC_SHA256, LIMBIC_HASH_DEFAULT,
                                        any ? LIMBIC_RSA_SALT_ANY : (int)salt_len, digest,
                                        32) == (rows[i].good ? LIMBIC_OK : LIMBIC_ERR_SIGNATURE),
                  "%s: PSS, %s changed", key->name, rows[i].what);
    }
    if (skip) { /* a byte in front that is not zero */
        do {
            fill(salt, sizeof salt);
            em[0] = 1;
            pss_block(em + 1, em_bits, LIMBIC_SHA256, salt, salt_len, digest, rows[0].fault);
        } while (memcmp(em, key->n, k) >= 0);
        sign_block(key, sig, em);
        check(limbic_rsa_verify_pss(key->pub, key->pub_len, sig, k, LIMBIC_SHA256, LIMBIC_HASH_DEFAULT,
                                    LIMBIC_RSA_SALT_ANY, digest, 32) == LIMBIC_ERR_SIGNATURE,
              "%s: PSS, 01 in front", key->name);
    }
    /* all zeros where 01 and the salt should be */
    memset(em, 0, sizeof em);
    MUST(!limbic_digest(LIMBIC_SHA256, em + skip + db, h, digest, 32));
    mgf_xor(LIMBIC_SHA256, em + skip, db, em + skip + db, h);
    em[skip] &= (uint8_t)(0xff >> (8 * bytes - em_bits));
    em[k - 1] = 0xbc;
    sign_block(key, sig, em);
    check(limbic_rsa_verify_pss(key->pub, key->pub_len, sig, k, LIMBIC_SHA256, LIMBIC_HASH_DEFAULT,
                                LIMBIC_RSA_SALT_ANY, digest, 32) == LIMBIC_ERR_SIGNATURE,
          "%s: PSS, no 01", key->name);
    check(limbic_rsa_verify_pss(key->pub, key->pub_len, key->n, k, LIMBIC_SHA256, LIMBIC_HASH_DEFAULT, 20,
                                digest, 32) == LIMBIC_ERR_SIGNATURE_RANGE,
          "%s: PSS, a signature of n", key->name);
    /* a salt of 256 bytes is not one of 0 */
    if (db > 300) {
        uint8_t longer[256];
        fill(longer, sizeof longer);
        check(!limbic_rsa_sign_pss_with_salt(key->priv, key->priv_len, sig, k, LIMBIC_SHA256,
                                             LIMBIC_HASH_DEFAULT, longer, sizeof longer, digest, 32) &&
                  !limbic_rsa_verify_pss(key->pub, key->pub_len, sig, k, LIMBIC_SHA256, LIMBIC_HASH_DEFAULT,
                                         256, digest, 32) &&
                  limbic_rsa_verify_pss(key->pub, key->pub_len, sig, k, LIMBIC_SHA256, LIMBIC_HASH_DEFAULT, 0,
                                        digest, 32) == LIMBIC_ERR_SIGNATURE,
              "%s: PSS, 256 bytes of salt", key->name);
    }
}

static void oaep_faults(const struct key *key) {
    const size_t k = key->k, h = 32, db = k - h - 1, n = 16;
    uint8_t msg[16], em[MAX], c[MAX], out[MAX];
    fill(msg, sizeof msg);
    const struct {
        const char *what;
        struct fault fault;
        int good;
    } rows[] = {
        {"nothing", {0, -1, 0}, 1},
        {"the first byte", {0, 0, 1}, 0},
        {"the first bit of the seed", {0, 1, 0x80}, 0},
        {"the last byte of the block", {0, (int)k - 1, 1}, 0},
        {"the label's first bit", {1, 0, 0x80}, 0},
        {"the label's last bit", {1, (int)h - 1, 1}, 0},
        {"the first of the zeros to 02", {1, (int)h, 2}, 0},
        {"the first of the zeros to 80", {1, (int)h, 0x80}, 0},
        {"the last of the zeros", {1, (int)(db - n - 2), 0xff}, 0},
        {"01 to 02", {1, (int)(db - n - 1), 3}, 0},
        {"01 to 81", {1, (int)(db - n - 1), 0x80}, 0},
        {"the message", {1, (int)(db - n), 0x55}, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t out_len = sizeof out;
        do
            oaep_block(em, k, LIMBIC_SHA256, msg, n, rows[i].fault);
        while (memcmp(em, key->n, k) >= 0);
        encrypt_block(key, c, em);
        if (rows[i].good)
            check(!limbic_rsa_decrypt_oaep(key->priv, key->priv_len, out, &out_len, LIMBIC_SHA256,
                                           LIMBIC_HASH_DEFAULT, NULL, 0, c, k) &&
                      out_len == n && !memcmp(out + 1, msg + 1, n - 1),
                  "%s: OAEP, %s changed", key->name, rows[i].what);
        else
            REFUSED(LIMBIC_ERR_DECRYPT, out,
                    limbic_rsa_decrypt_oaep(key->priv, key->priv_len, out, &out_len, LIMBIC_SHA256,
                                            LIMBIC_HASH_DEFAULT, NULL, 0, c, k));
        check(rows[i].good || out_len == sizeof out, "%s: OAEP, the length is untouched", key->name);
    }
    /* zeros to the end, no 01 */
    size_t out_len = sizeof out;
    memset(msg, 0, n);
    oaep_block(em, k, LIMBIC_SHA256, msg, n, (struct fault){1, (int)(db - n - 1), 1});
    encrypt_block(key, c, em);
    REFUSED(LIMBIC_ERR_DECRYPT, out,
            limbic_rsa_decrypt_oaep(key->priv, key->priv_len, out, &out_len, LIMBIC_SHA256,
                                    LIMBIC_HASH_DEFAULT, NULL, 0, c, k));
    /* another label, hash or mask */
    oaep_block(em, k, LIMBIC_SHA256, msg, n, rows[0].fault);
    encrypt_block(key, c, em);
    REFUSED(LIMBIC_ERR_DECRYPT, out,
            limbic_rsa_decrypt_oaep(key->priv, key->priv_len, out, &out_len, LIMBIC_SHA256,
                                    LIMBIC_HASH_DEFAULT, (const uint8_t *)"", 1, c, k));
    REFUSED(LIMBIC_ERR_DECRYPT, out,
            limbic_rsa_decrypt_oaep(key->priv, key->priv_len, out, &out_len, LIMBIC_SM3, LIMBIC_SHA256, NULL,
                                    0, c, k));
    REFUSED(LIMBIC_ERR_DECRYPT, out,
            limbic_rsa_decrypt_oaep(key->priv, key->priv_len, out, &out_len, LIMBIC_SHA256, LIMBIC_SM3, NULL,
                                    0, c, k));
    memset(c, 0, k); /* a ciphertext of 0 and 1 */
    REFUSED(LIMBIC_ERR_DECRYPT, out,
            limbic_rsa_decrypt_oaep(key->priv, key->priv_len, out, &out_len, LIMBIC_SHA256,
                                    LIMBIC_HASH_DEFAULT, NULL, 0, c, k));
    c[k - 1] = 1;
    REFUSED(LIMBIC_ERR_DECRYPT, out,
            limbic_rsa_decrypt_oaep(key->priv, key->priv_len, out, &out_len, LIMBIC_SHA256,
                                    LIMBIC_HASH_DEFAULT, NULL, 0, c, k));
}

/* The private exponent is part of what implicit rejection gives, so a key has the one that it was imported with: others make the same of the same key. */
static void kept_exponent(const struct key *key) {
    uint8_t d[MAX], given[MAX];
    size_t n = sizeof d;
    check(!limbic_rsa_export(key->priv, key->priv_len, LIMBIC_RSA_D, d, &n) &&
              BN_bn2bin(RSA_get0_d(key->peer), given) == (int)n && !memcmp(d, given, n),
          "%s: the private exponent is kept as it was given", key->name);
}

/* What draft-irtf-cfrg-rsa-guidance gives in place of a message, with OpenSSL's HMAC. */
static void prf(uint8_t *out, size_t n, const uint8_t *kdk, const char *label) {
    for (size_t i = 0; 32 * i < n; i++) {
        uint8_t in[16] = {(uint8_t)(i >> 8), (uint8_t)i}, block[32];
        const size_t m = strlen(label);
        memcpy(in + 2, label, m);
        in[2 + m] = (uint8_t)(8 * n >> 8);
        in[3 + m] = (uint8_t)(8 * n);
        MUST(HMAC(EVP_sha256(), kdk, 32, in, 4 + m, block, NULL));
        memcpy(out + 32 * i, block, n - 32 * i < 32 ? n - 32 * i : 32);
    }
}
static size_t rejection(const struct key *key, uint8_t *out, const uint8_t *c) {
    const size_t k = key->k;
    uint8_t d[MAX], kdk[32], lengths[256], stream[MAX];
    size_t len = 0, bits = 1, d_len = k;
    MUST(!limbic_rsa_export(key->priv, key->priv_len, LIMBIC_RSA_D, d, &d_len));
    memmove(d + k - d_len, d, d_len);
    memset(d, 0, k - d_len);
    MUST(!limbic_digest(LIMBIC_SHA256, kdk, 32, d, k));
    MUST(HMAC(EVP_sha256(), kdk, 32, c, k, kdk, NULL));
    prf(lengths, sizeof lengths, kdk, "length");
    prf(stream, k, kdk, "message");
    while (bits <= k - 10)
        bits *= 2;
    for (size_t i = 0; i < 256; i += 2) {
        size_t candidate = ((size_t)lengths[i] * 256 + lengths[i + 1]) % bits;
        if (candidate < k - 10)
            len = candidate;
    }
    memcpy(out, stream + k - len, len);
    return len;
}

static void pkcs1_encryption_faults(const struct key *key) {
    const size_t k = key->k;
    static const struct {
        int at; /* the byte that gets the value; below 0: from the end of the message */
        uint8_t value;
        int good;
    } rows[] = {
        {0, 0, 1},    {0, 1, 0}, {1, 1, 0}, {1, 0, 0},  {1, 3, 0},
        {1, 0x82, 0}, {2, 0, 0}, {9, 0, 0}, {10, 0, 1}, {-1, 0, 0}, /* no zero at all */
    };
    uint8_t em[MAX], c[MAX], out[MAX], want[MAX];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t out_len = k - 11, want_len = 11;
        memset(em, 0x77, k);
        em[0] = 0;
        em[1] = 2;
        em[k - 12] = rows[i].at < 0 ? 0x77 : 0;
        if (rows[i].at >= 0)
            em[rows[i].at] = rows[i].value;
        if (memcmp(em, key->n, k) >= 0)
            continue;
        encrypt_block(key, c, em);
        if (rows[i].good)
            memset(want, 0x77, want_len = rows[i].at == 10 ? k - 11 : 11);
        else
            want_len = rejection(key, want, c);
        if (rows[i].at == 10)
            want[k - 11 - 12] = 0; /* the usual separator is part of the message */
        limbic_status status = limbic_rsa_decrypt_pkcs1(key->priv, key->priv_len, out, &out_len, c, k);
        check(!status && out_len == want_len && !memcmp(out, want, want_len),
              "%s: PKCS #1 decryption, byte %d of the block %d: %zu bytes, wanted %zu", key->name, rows[i].at,
              rows[i].value, out_len, want_len);
    }
    for (uint8_t i = 0; i < 2; i++) { /* a ciphertext of 0 and 1 */
        size_t out_len = k - 11, want_len;
        memset(c, 0, k);
        c[k - 1] = i;
        want_len = rejection(key, want, c);
        check(!limbic_rsa_decrypt_pkcs1(key->priv, key->priv_len, out, &out_len, c, k) &&
                  out_len == want_len && !memcmp(out, want, want_len),
              "%s: PKCS #1 decryption of %u", key->name, i);
    }
    /* random padding has no zeros: the first byte drawn is one, and is drawn again */
    random_mode = ZERO;
    check(!limbic_rsa_encrypt_pkcs1(key->pub, key->pub_len, c, k, NULL, 0) &&
              RSA_private_decrypt((int)k, c, em, key->peer, RSA_NO_PADDING) == (int)k && em[0] == 0 &&
              em[1] == 2 && !memchr(em + 2, 0, k - 3) && em[k - 1] == 0,
          "%s: PKCS #1 encryption, padding", key->name);
}

/* Arguments that are refused. */

static void arguments(void) {
    const struct key *key = &keys[K2048], *small = &keys[K1024];
    const size_t k = key->k, len = key->priv_len, pub_len = key->pub_len;
    const void *priv = key->priv, *pub = key->pub;
    uint8_t in[MAX] = {0}, out[MAX], digest[32] = {0}, seed[64] = {0};
    size_t n = sizeof out;
    const limbic_hash any = LIMBIC_HASH_DEFAULT, none = (limbic_hash)5;

    /* the key */
    uint64_t *copy = key_buffer(len);
    memcpy(copy, priv, len);
    REFUSED(LIMBIC_ERR_NULL, out, limbic_rsa_public_op(NULL, pub_len, out, k, in, k));
    REFUSED(LIMBIC_ERR_ALIGNMENT, out,
            limbic_rsa_public_op((const uint8_t *)pub + 4, pub_len, out, k, in, k));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_rsa_public_op(pub, pub_len - 8, out, k, in, k));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_rsa_public_op(pub, 8, out, k, in, k));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_rsa_private_op(priv, len - 1, out, k, in, k));
    memset(copy, 0, 8);
    REFUSED(LIMBIC_ERR_PREPARED, out, limbic_rsa_public_op(copy, len, out, k, in, k));
    check(limbic_rsa_bits(copy, len) == 0 && limbic_rsa_bytes(copy, len) == 0 &&
              !limbic_rsa_is_private(copy, len),
          "no key has no size");
    REFUSED(LIMBIC_ERR_PRIVATE_KEY, out, limbic_rsa_private_op(pub, pub_len, out, k, in, k));
    REFUSED(LIMBIC_ERR_PRIVATE_KEY, out, limbic_rsa_sign_pkcs1(pub, pub_len, out, k, any, digest, 32));
    REFUSED(LIMBIC_ERR_PRIVATE_KEY, out, limbic_rsa_decrypt_pkcs1(pub, pub_len, out, &n, in, k));
    check(limbic_rsa_is_private(priv, len) == 1 && limbic_rsa_is_private(pub, pub_len) == 0 &&
              limbic_rsa_bits(pub, pub_len) == 2048 &&
              limbic_rsa_bytes(keys[K2049].pub, keys[K2049].pub_len) == 257 &&
              limbic_rsa_bits(keys[K2041].priv, keys[K2041].priv_len) == 2041,
          "sizes of keys");
    check(limbic_rsa_public_bytes(1023) == 0 &&
              limbic_rsa_public_bytes(1024) == 8 * LIMBIC_RSA_PUBLIC_WORDS(1024) &&
              limbic_rsa_private_bytes(16385) == 0 &&
              limbic_rsa_private_bytes(16384) == 8 * LIMBIC_RSA_PRIVATE_WORDS(16384),
          "sizes of buffers");

    /* a key too small for all but verification; a private one is not even imported, so its header is changed */
    struct limbic_rsa_header *h = (struct limbic_rsa_header *)copy;
    memcpy(copy, priv, len);
    h->bits = 1024;
    REFUSED(LIMBIC_ERR_KEY_SIZE, out, limbic_rsa_private_op(copy, len, out, 128, in, 128));
    REFUSED(LIMBIC_ERR_KEY_SIZE, out, limbic_rsa_sign_pkcs1(copy, len, out, 128, any, digest, 32));
    REFUSED(LIMBIC_ERR_KEY_SIZE, out, limbic_rsa_sign_pss(copy, len, out, 128, any, any, 0, digest, 32));
    REFUSED(LIMBIC_ERR_KEY_SIZE, out,
            limbic_rsa_decrypt_oaep(copy, len, out, &n, any, any, NULL, 0, in, 128));
    REFUSED(LIMBIC_ERR_KEY_SIZE, out, limbic_rsa_decrypt_pkcs1(copy, len, out, &n, in, 128));
    REFUSED(LIMBIC_ERR_KEY_SIZE, out,
            limbic_rsa_encrypt_oaep(small->pub, small->pub_len, out, 128, any, any, NULL, 0, in, 1));
    REFUSED(LIMBIC_ERR_KEY_SIZE, out, limbic_rsa_encrypt_pkcs1(small->pub, small->pub_len, out, 128, in, 1));
    check(limbic_rsa_max_message(small->pub, small->pub_len, LIMBIC_RSA_OAEP, LIMBIC_SHA512) == 0 &&
              limbic_rsa_max_message(pub, pub_len, (limbic_rsa_padding)0, any) == 0 &&
              limbic_rsa_max_message(pub, pub_len, LIMBIC_RSA_OAEP, none) == 0 &&
              limbic_rsa_max_message(NULL, pub_len, LIMBIC_RSA_PKCS1, any) == 0 &&
              limbic_rsa_max_message(pub, pub_len, LIMBIC_RSA_OAEP, any) == 190,
          "longest messages");

    /* pointers and lengths */
    REFUSED(LIMBIC_ERR_NULL, out, limbic_rsa_public_op(pub, pub_len, NULL, k, in, k));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_rsa_private_op(priv, len, out, k, NULL, k));
    for (int d = -1; d < 2; d += 2) {
        const size_t other = d < 0 ? k - 1 : k + 1;
        REFUSED(LIMBIC_ERR_LENGTH, out, limbic_rsa_public_op(pub, pub_len, out, other, in, k));
        REFUSED(LIMBIC_ERR_LENGTH, out, limbic_rsa_public_op(pub, pub_len, out, k, in, other));
        REFUSED(LIMBIC_ERR_LENGTH, out, limbic_rsa_private_op(priv, len, out, other, in, k));
        REFUSED(LIMBIC_ERR_LENGTH, out, limbic_rsa_private_op(priv, len, out, k, in, other));
        REFUSED(LIMBIC_ERR_LENGTH, out, limbic_rsa_sign_pkcs1(priv, len, out, other, any, digest, 32));
        REFUSED(LIMBIC_ERR_LENGTH, out,
                limbic_rsa_sign_pkcs1(priv, len, out, k, any, digest, (size_t)(32 + d)));
        REFUSED(LIMBIC_ERR_LENGTH, out, limbic_rsa_sign_pss(priv, len, out, other, any, any, 0, digest, 32));
        REFUSED(LIMBIC_ERR_LENGTH, out,
                limbic_rsa_sign_pss(priv, len, out, k, any, any, 0, digest, (size_t)(32 + d)));
        REFUSED(LIMBIC_ERR_LENGTH, out, limbic_rsa_verify_pkcs1(pub, pub_len, in, other, any, digest, 32));
        REFUSED(LIMBIC_ERR_LENGTH, out,
                limbic_rsa_verify_pss(pub, pub_len, in, other, any, any, 0, digest, 32));
        REFUSED(LIMBIC_ERR_LENGTH, out,
                limbic_rsa_encrypt_oaep(pub, pub_len, out, other, any, any, NULL, 0, in, 1));
        REFUSED(LIMBIC_ERR_LENGTH, out, limbic_rsa_encrypt_pkcs1(pub, pub_len, out, other, in, 1));
        REFUSED(LIMBIC_ERR_LENGTH, out,
                limbic_rsa_decrypt_oaep(priv, len, out, &n, any, any, NULL, 0, in, other));
        REFUSED(LIMBIC_ERR_LENGTH, out, limbic_rsa_decrypt_pkcs1(priv, len, out, &n, in, other));
    }
    REFUSED(LIMBIC_ERR_NULL, out, limbic_rsa_sign_pkcs1(priv, len, out, k, any, NULL, 32));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_rsa_sign_pkcs1(priv, len, NULL, k, any, digest, 32));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_rsa_verify_pss(pub, pub_len, NULL, k, any, any, 0, digest, 32));
    REFUSED(LIMBIC_ERR_NULL, out,
            limbic_rsa_sign_pss_with_salt(priv, len, out, k, any, any, NULL, 1, digest, 32));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_rsa_encrypt_oaep(pub, pub_len, out, k, any, any, NULL, 1, in, 1));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_rsa_encrypt_oaep(pub, pub_len, out, k, any, any, NULL, 0, NULL, 1));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_rsa_encrypt_pkcs1(pub, pub_len, out, k, NULL, 1));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_rsa_decrypt_oaep(priv, len, out, NULL, any, any, NULL, 0, in, k));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_rsa_decrypt_pkcs1(priv, len, NULL, &n, in, k));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_rsa_decrypt_pkcs1(priv, len, out, &n, NULL, k));
    REFUSED(LIMBIC_ERR_NULL, out,
            limbic_rsa_encrypt_oaep_with_seed(pub, pub_len, out, k, any, any, NULL, 0, in, 1, NULL));

    /* hashes, salts */
    REFUSED(LIMBIC_ERR_HASH, out, limbic_rsa_sign_pkcs1(priv, len, out, k, none, digest, 32));
    REFUSED(LIMBIC_ERR_HASH, out, limbic_rsa_sign_pss(priv, len, out, k, any, none, 0, digest, 32));
    REFUSED(LIMBIC_ERR_HASH, out, limbic_rsa_verify_pkcs1(pub, pub_len, in, k, (limbic_hash)-1, digest, 32));
    REFUSED(LIMBIC_ERR_HASH, out, limbic_rsa_encrypt_oaep(pub, pub_len, out, k, none, any, NULL, 0, in, 1));
    REFUSED(LIMBIC_ERR_HASH, out, limbic_rsa_decrypt_oaep(priv, len, out, &n, any, none, NULL, 0, in, k));
    static const int salts[] = {LIMBIC_RSA_SALT_ANY, -4, INT_MIN, INT_MAX, 223};
    for (size_t i = 0; i < sizeof salts / sizeof salts[0]; i++)
        REFUSED(LIMBIC_ERR_SALT, out, limbic_rsa_sign_pss(priv, len, out, k, any, any, salts[i], digest, 32));
    REFUSED(LIMBIC_ERR_SALT, out, limbic_rsa_verify_pss(pub, pub_len, in, k, any, any, -4, digest, 32));
    REFUSED(LIMBIC_ERR_SALT, out,
            limbic_rsa_sign_pss_with_salt(priv, len, out, k, any, any, in, SIZE_MAX, digest, 32));
    check(limbic_rsa_verify_pss(small->pub, small->pub_len, in, 128, LIMBIC_SHA512, any,
                                LIMBIC_RSA_SALT_DIGEST, seed, 64) == LIMBIC_ERR_SALT,
          "a salt of 64 bytes in 1024 bits");

    /* room for the message */
    n = 189;
    REFUSED(LIMBIC_ERR_BUFFER, out, limbic_rsa_decrypt_oaep(priv, len, out, &n, any, any, NULL, 0, in, k));
    check(n == 190, "what OAEP takes");
    n = 244;
    REFUSED(LIMBIC_ERR_BUFFER, out, limbic_rsa_decrypt_pkcs1(priv, len, out, &n, in, k));
    check(n == 245, "what PKCS #1 takes");
    n = 0;
    check(limbic_rsa_decrypt_pkcs1(priv, len, NULL, &n, in, k) == LIMBIC_ERR_BUFFER && n == 245,
          "no buffer at all");
    n = sizeof out;
    memcpy(in, key->n, k);
    REFUSED(LIMBIC_ERR_VALUE, out, limbic_rsa_decrypt_oaep(priv, len, out, &n, any, any, NULL, 0, in, k));
    REFUSED(LIMBIC_ERR_VALUE, out, limbic_rsa_decrypt_pkcs1(priv, len, out, &n, in, k));
    check(n == sizeof out, "a failure leaves the length");

    limbic_rsa_wipe(copy, len);
    int left = 0;
    for (size_t i = 0; i < len / 8; i++)
        left |= copy[i] != 0;
    check(!left, "a wiped key");
    limbic_rsa_wipe(NULL, 0);
    free(copy);
}

/* Inputs and outputs in one buffer, at each of these distances. */
static void overlap(const struct key *key) {
    const size_t k = key->k, at = 600;
    const ptrdiff_t offsets[] = {
        0, 1, -1, 8, (ptrdiff_t)k / 2, -(ptrdiff_t)k / 2, (ptrdiff_t)k - 1, 1 - (ptrdiff_t)k};
    uint8_t buffer[3 * 600], digest[32], seed[32], salt[32], msg[40], in[MAX], raw_out[2][MAX], sig[MAX],
        pss[MAX], oaep[MAX], v15[MAX];
    size_t n;
    fill(digest, sizeof digest);
    fill(seed, sizeof seed);
    fill(salt, sizeof salt);
    fill(msg, sizeof msg);
    fill(in, k);
    in[0] = 0;
    MUST(!limbic_rsa_public_op(key->pub, key->pub_len, raw_out[0], k, in, k) &&
         !limbic_rsa_private_op(key->priv, key->priv_len, raw_out[1], k, in, k) &&
         !limbic_rsa_sign_pkcs1(key->priv, key->priv_len, sig, k, LIMBIC_SHA256, digest, 32) &&
         !limbic_rsa_sign_pss_with_salt(key->priv, key->priv_len, pss, k, LIMBIC_SHA256, LIMBIC_SHA256, salt,
                                        32, digest, 32) &&
         !limbic_rsa_encrypt_oaep_with_seed(key->pub, key->pub_len, oaep, k, LIMBIC_SHA256, LIMBIC_SHA256,
                                            msg, 40, msg, 40, seed) &&
         !limbic_rsa_encrypt_pkcs1(key->pub, key->pub_len, v15, k, msg, 40));
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        uint8_t *a = buffer + at, *b = a + offsets[i];
        const int d = (int)offsets[i];
        memcpy(a, in, k);
        check(!limbic_rsa_public_op(key->pub, key->pub_len, b, k, a, k) && !memcmp(b, raw_out[0], k),
              "public power %d bytes on", d);
        memcpy(a, in, k);
        check(!limbic_rsa_private_op(key->priv, key->priv_len, b, k, a, k) && !memcmp(b, raw_out[1], k),
              "private power %d bytes on", d);
        memcpy(a, digest, 32);
        check(!limbic_rsa_sign_pkcs1(key->priv, key->priv_len, b, k, LIMBIC_SHA256, a, 32) &&
                  !memcmp(b, sig, k),
              "PKCS #1 signature %d bytes on from its digest", d);
        memcpy(a, digest, 32);
        memcpy(a + 32, salt, 32);
        check(!limbic_rsa_sign_pss_with_salt(key->priv, key->priv_len, b, k, LIMBIC_SHA256, LIMBIC_SHA256,
                                             a + 32, 32, a, 32) &&
                  !memcmp(b, pss, k),
              "PSS signature %d bytes on from its digest", d);
        memcpy(a, msg, 40);
        memcpy(a + 40, seed, 32);
        check(!limbic_rsa_encrypt_oaep_with_seed(key->pub, key->pub_len, b, k, LIMBIC_SHA256, LIMBIC_SHA256,
                                                 a, 40, a, 40, a + 40) &&
                  !memcmp(b, oaep, k),
              "OAEP ciphertext %d bytes on from message, label and seed", d);
        memcpy(a, oaep, k);
        n = k;
        check(!limbic_rsa_decrypt_oaep(key->priv, key->priv_len, b, &n, LIMBIC_SHA256, LIMBIC_SHA256, msg, 40,
                                       a, k) &&
                  n == 40 && !memcmp(b, msg, 40),
              "OAEP message %d bytes on", d);
        memcpy(a, v15, k);
        n = k;
        check(!limbic_rsa_decrypt_pkcs1(key->priv, key->priv_len, b, &n, a, k) && n == 40 &&
                  !memcmp(b, msg, 40),
              "PKCS #1 message %d bytes on", d);
        memcpy(a, msg, 40);
        check(!limbic_rsa_encrypt_pkcs1(key->pub, key->pub_len, b, k, a, 40) &&
                  !limbic_rsa_decrypt_pkcs1(key->priv, key->priv_len, in, (n = sizeof in, &n), b, k) &&
                  n == 40 && !memcmp(in, msg, 40),
              "PKCS #1 ciphertext %d bytes on", d);
        fill(in, k);
        in[0] = 0;
        MUST(!limbic_rsa_public_op(key->pub, key->pub_len, raw_out[0], k, in, k) &&
             !limbic_rsa_private_op(key->priv, key->priv_len, raw_out[1], k, in, k));
    }
}

/* A key damaged in memory, or a computation gone wrong, gives no result: with one it would give a factor. */
static void damage(const struct key *key) {
    const size_t k = key->k, len = key->priv_len;
    uint8_t in[MAX], out[MAX], c[MAX];
    size_t n = sizeof out;
    fill(in, k);
    in[0] = 0;
    for (int i = 0; i < 5; i++) {
        uint64_t *copy = key_buffer(len);
        struct limbic_rsa x;
        memcpy(copy, i < 4 ? key->priv : key->bare, len);
        MUST(!limbic_rsa_open(&x, copy, len, 1));
        const uint64_t *parts[] = {x.dp, x.dq, x.qinv, x.dp, x.d};
        copy[parts[i] - copy + (i == 3)] ^= 1; /* dp + 1 or dp - 1, its second word, and so on */
        REFUSED(LIMBIC_ERR_FAULT, out, limbic_rsa_private_op(copy, len, out, k, in, k));
        if (i == 0) {
            REFUSED(LIMBIC_ERR_FAULT, out, limbic_rsa_sign_pkcs1(copy, len, out, k, LIMBIC_SHA256, in, 32));
            REFUSED(LIMBIC_ERR_FAULT, out,
                    limbic_rsa_sign_pss(copy, len, out, k, LIMBIC_SHA256, LIMBIC_SHA256, 32, in, 32));
            MUST(!limbic_rsa_encrypt_oaep(key->pub, key->pub_len, c, k, LIMBIC_SHA256, LIMBIC_SHA256, NULL, 0,
                                          in, 5));
            REFUSED(LIMBIC_ERR_FAULT, out,
                    limbic_rsa_decrypt_oaep(copy, len, out, &n, LIMBIC_SHA256, LIMBIC_SHA256, NULL, 0, c, k));
            REFUSED(LIMBIC_ERR_FAULT, out, limbic_rsa_decrypt_pkcs1(copy, len, out, &n, c, k));
            check(n == sizeof out, "%s: part %d damaged: the length is untouched", key->name, i);
        }
        free(copy);
    }
}

static void randomness(const struct key *key) {
    const size_t k = key->k, len = key->priv_len;
    const limbic_hash hash = LIMBIC_SHA256;
    uint8_t in[MAX], out[MAX], c[MAX], want[MAX];
    size_t n = sizeof out;
    fill(in, k);
    in[0] = 0;
    MUST(!limbic_rsa_encrypt_pkcs1(key->pub, key->pub_len, c, k, in, 5));
#define WITHOUT_RANDOM(call) REFUSED(LIMBIC_ERR_RANDOM, out, (random_mode = FAILS, call))
    WITHOUT_RANDOM(limbic_rsa_private_op(key->priv, len, out, k, in, k));
    WITHOUT_RANDOM(limbic_rsa_private_op(key->bare, len, out, k, in, k));
    WITHOUT_RANDOM(limbic_rsa_sign_pkcs1(key->priv, len, out, k, hash, in, 32));
    WITHOUT_RANDOM(limbic_rsa_sign_pss(key->priv, len, out, k, hash, hash, 32, in, 32));
    WITHOUT_RANDOM(limbic_rsa_encrypt_oaep(key->pub, key->pub_len, out, k, hash, hash, NULL, 0, in, 5));
    WITHOUT_RANDOM(limbic_rsa_encrypt_pkcs1(key->pub, key->pub_len, out, k, in, 5));
    WITHOUT_RANDOM(limbic_rsa_decrypt_oaep(key->priv, len, out, &n, hash, hash, NULL, 0, c, k));
    WITHOUT_RANDOM(limbic_rsa_decrypt_pkcs1(key->priv, len, out, &n, c, k));
    random_mode = SYSTEM;

    /* a blinding factor is fresh, below n, and a unit: what is not is drawn again */
    uint64_t first[MAX / 8];
    MUST(!limbic_rsa_private_op(key->priv, len, want, k, in, k));
    memcpy(first, last_random, sizeof first);
    random_key = key;
    for (int mode = SYSTEM; mode <= FACTOR; mode++) {
        if (mode == FAILS)
            continue;
        random_mode = mode;
        random_calls = 0;
        limbic_status status = limbic_rsa_private_op(key->priv, len, out, k, in, k);
        check(!status && !memcmp(out, want, k) && random_calls >= (mode == SYSTEM ? 1 : 2) &&
                  memcmp(first, last_random, sizeof first) != 0,
              "%s: blinding, random source %d, %u calls", key->name, mode, random_calls);
    }
}

/* Batches of keys of several lengths, alike and not, good and bad items: each as the operation for one. */
enum { BATCH = 23 };
static uint64_t rnd_state = 1;
static unsigned rnd(void) { /* xorshift64 */
    rnd_state ^= rnd_state << 13;
    rnd_state ^= rnd_state >> 7;
    rnd_state ^= rnd_state << 17;
    return (unsigned)(rnd_state >> 33);
}

static void batch(int is_private) {
    const char *const what = is_private ? "private" : "public";
    limbic_status (*const one)(const void *, size_t, uint8_t *, size_t, const uint8_t *, size_t) =
        is_private ? limbic_rsa_private_op : limbic_rsa_public_op;
    limbic_status (*const many)(limbic_rsa_item *, size_t) =
        is_private ? limbic_rsa_private_op_batch : limbic_rsa_public_op_batch;
    static const size_t kinds[] = {K2048, K2048, K2048_E65, K2041, K2048_LONG_P, K2049, K3072, K1024};
    static uint8_t in[BATCH][MAX], out[BATCH][MAX], want[BATCH][MAX];
    limbic_rsa_item items[BATCH];
    limbic_status status[BATCH];
    for (unsigned round = 0; round < 40; round++) {
        const size_t count = round < 10 ? round : round < 20 ? BATCH : rnd() % (BATCH + 1);
        size_t good = 0;
        for (size_t i = 0; i < count; i++) {
            /* at first one key, then runs of a few */
            const struct key *key = &keys[round < 20 ? K2048 : kinds[rnd() % 8]];
            if (round >= 20 && i && rnd() % 4)
                key = items[i - 1].in_len == key->k ? key : &keys[K2048];
            const size_t k = key->k, fault = round % 2 && rnd() % 3 == 0 ? 1 + rnd() % 7 : 0;
            const uint64_t *priv = rnd() % 6 ? key->priv : key->bare;
            fill(in[i], k);
            in[i][0] = 0;
            memset(out[i], 0x5a, k);
            memset(want[i], 0x5a, k);
            items[i] = (limbic_rsa_item){
                priv ? priv : key->pub, in[i], out[i], priv ? key->priv_len : key->pub_len, k, k,
                LIMBIC_ERR_FAULT};
            if (fault == 1)
                items[i].in = NULL;
            if (fault == 2)
                items[i].out = NULL;
            if (fault == 3)
                items[i].key = NULL;
            if (fault == 4)
                items[i].out_len--;
            if (fault == 5)
                items[i].in_len++;
            if (fault == 6)
                memset(in[i], 0xff, k);
            if (fault == 7)
                items[i].key = key->pub;
            if (round % 3 == 2 && !fault) {
                memcpy(out[i], in[i], k);
                memcpy(want[i], in[i], k);
                items[i].in = out[i];
            }
            const limbic_rsa_item *t = &items[i];
            status[i] = one(t->key, t->key_len, t->out ? want[i] : NULL, t->out_len,
                            t->in == out[i] ? want[i] : t->in, t->in_len);
            good += status[i] == LIMBIC_OK;
        }
        random_mode = round == 12 ? FACTOR : SYSTEM; /* an item is done again alone */
        random_key = &keys[K2048];
        random_calls = 0;
        const limbic_status all_of_them = many(items, count);
        random_mode = SYSTEM;
        check(all_of_them == (good == count ? LIMBIC_OK : LIMBIC_ERR_BATCH),
              "%s batch %u of %zu: status %d, %zu good", what, round, count, (int)all_of_them, good);
        for (size_t i = 0; i < count; i++)
            check(items[i].status == status[i] && !memcmp(out[i], want[i], MAX),
                  "%s batch %u of %zu: item %zu, status %d", what, round, count, i, (int)items[i].status);
    }
    check(many(NULL, 0) == LIMBIC_OK, "a batch of nothing");
    check(many(NULL, 1) == LIMBIC_ERR_NULL, "a batch from nowhere");
    if (!is_private)
        return;
    const struct key *key = &keys[K2048];
    for (size_t i = 0; i < 3; i++) {
        memset(out[i], 0x5a, key->k);
        items[i] = (limbic_rsa_item){key->priv, in[0], out[i], key->priv_len, key->k, key->k, LIMBIC_OK};
    }
    memset(in[0], 1, key->k);
    random_mode = FAILS;
    check(limbic_rsa_private_op_batch(items, 3) == LIMBIC_ERR_BATCH && items[0].status == LIMBIC_ERR_RANDOM &&
              items[2].status == LIMBIC_ERR_RANDOM && out[0][0] == 0x5a && out[2][key->k - 1] == 0x5a,
          "a batch without random bytes");
    random_mode = SYSTEM;
}

static void all(const char *isa) {
    (void)isa;
    for (size_t i = 0; i < KEYS; i++) {
        raw(&keys[i]);
        signatures(&keys[i]);
        if (!keys[i].priv)
            continue;
        encryption(&keys[i]);
        kept_exponent(&keys[i]);
    }
    static const size_t some[] = {K2048, K2049, K2041};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        pkcs1_signature_faults(&keys[some[i]]);
        pss_faults(&keys[some[i]]);
        oaep_faults(&keys[some[i]]);
        pkcs1_encryption_faults(&keys[some[i]]);
    }
    pss_faults(&keys[K3072]);
    damage(&keys[K2048]);
    damage(&keys[K2048_SHORT_P]);
    arguments();
    overlap(&keys[K2048]);
    randomness(&keys[K2048]);
    batch(0);
    batch(1);
}

int main(void) {
    make_keys();
    each_isa(ENGINES, all);
    free_keys();
    return closing();
}
